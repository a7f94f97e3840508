"""What a secret looks like: the key formats their issuers document, and the names that secrets go by.

Each row is (what it is, pattern, where the format is documented). A pattern has a fixed beginning of its issuer,
or a syntax that nothing else has, so that digests, commit ids and identifiers of pages are left alone.
"""

SHAPES: tuple[tuple[str, str, str], ...] = (
    ("api-key", r"\bsk-[A-Za-z0-9_-]{20,}", "OpenAI, Anthropic and OpenRouter API documentation: keys begin sk-"),
    ("api-key", r"\b[rs]k_(?:live|test)_[A-Za-z0-9]{16,}", "Stripe API documentation: keys"),
    ("api-key", r"\btvly-[A-Za-z0-9_-]{16,}", "Tavily API documentation: authentication"),
    ("api-key", r"\bBSA[A-Za-z0-9_-]{24,}", "Brave Search API documentation: subscription tokens"),
    ("api-key", r"\bAIza[A-Za-z0-9_-]{35}", "Google Cloud documentation: API keys"),
    ("api-key", r"\bya29\.[A-Za-z0-9_-]{20,}", "Google identity documentation: access tokens"),
    ("api-key", r"\bgsk_[A-Za-z0-9]{30,}", "Groq API documentation"),
    ("api-key", r"\bxai-[A-Za-z0-9]{30,}", "xAI API documentation"),
    ("api-key", r"\bpplx-[A-Za-z0-9]{30,}", "Perplexity API documentation"),
    ("api-key", r"\bhf_[A-Za-z0-9]{30,}", "Hugging Face documentation: user access tokens"),
    ("api-key", r"\br8_[A-Za-z0-9]{30,}", "Replicate API documentation"),
    ("api-key", r"\bjina_[A-Za-z0-9_-]{30,}", "Jina API documentation"),
    ("api-key", r"\bfc-[0-9a-f]{32}\b", "Firecrawl API documentation"),
    ("api-key", r"\b(?:AKIA|ASIA)[A-Z0-9]{16}\b", "AWS IAM documentation: unique identifiers"),
    ("api-key", r"\bgh[opsur]_[A-Za-z0-9]{36,}", "GitHub documentation: token formats"),
    ("api-key", r"\bgithub_pat_[A-Za-z0-9_]{22,}", "GitHub documentation: token formats"),
    ("api-key", r"\bglpat-[A-Za-z0-9_-]{20,}", "GitLab documentation: token overview"),
    ("api-key", r"\bxox[abeoprs]-[A-Za-z0-9-]{10,}", "Slack API documentation: token types"),
    ("token", r"\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}", "RFC 7519: JSON Web Token"),
    (
        "private-key",
        r"-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|\Z)",
        "RFC 7468: textual encodings of keys",
    ),
)

HEADER_VALUE = r"(?i)\b(Bearer|Basic)(\s+)[A-Za-z0-9._~+/-]{16,}=*"
"""RFC 6750, RFC 7617: credentials after their scheme, wherever a header was printed into a message."""

USERINFO = r"(?i)\b([a-z][a-z0-9+.-]*://)[^\s/?#\"'<>]+@"
"""RFC 3986, 3.2.1: everything between ``//`` and the last ``@`` of the authority."""

AUTHORITY = r"(?i:\bhttps?)://[\w.:%@\[\]-]*"
"""RFC 3986, 3.2, where a page may lie: the host and its port, as written or as sent."""

QUERY = (
    r"(?i)([?&;](?:api[_-]?key|subscription[_-]?key|access[_-]?token|auth[_-]?token|refresh[_-]?token|id[_-]?token"
    r"|client[_-]?secret|password|passwd|x-amz-signature|x-amz-security-token|x-goog-signature)=)[^&;#\s\"'<>]+"
)
"""Parameters that carry a credential by name. ``key`` and ``token`` alone also name harmless things: not here."""

NAMES = frozenset(
    {
        "authorization",
        "proxy-authorization",
        "cookie",
        "set-cookie",
        "x-api-key",
        "x-subscription-token",
        "x-goog-api-key",
        "ocp-apim-subscription-key",
        "api-key",
        "apikey",
        "password",
        "passwd",
        "secret",
        "client-secret",
        "access-token",
        "auth-token",
        "refresh-token",
        "id-token",
        "private-key",
        "secret-key",
    }
)
"""Headers and fields whose value is a secret whatever it looks like; compared in lower case with ``-`` for ``_``."""
