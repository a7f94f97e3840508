"""Query parameters that say how a reader came to a page, never which page it is. A table; no code but the look-up.

A parameter belongs here only if leaving it out
never changes what the server shows: a wrong row makes two pages one.
"""

# Names that start with one of these: (prefix, what it marks, who sets it and where that is written).
PREFIXES: tuple[tuple[str, str, str], ...] = (
    ("utm_", "campaign tagging", "Google Analytics: custom campaigns"),
    ("mtm_", "campaign tagging", "Matomo: campaign tracking"),
    ("mc_", "mail campaigns", "Mailchimp: link tracking (mc_cid, mc_eid)"),
    ("hsa_", "advertisements", "HubSpot: ad tracking"),
    ("oly_", "mail campaigns", "Omeda: oly_anon_id, oly_enc_id"),
    ("vero_", "mail campaigns", "Vero: vero_id, vero_conv"),
    ("guce_", "consent page", "Yahoo: guce_referrer, guce_referrer_sig"),
)

# Whole names, in lower case: (name, what it marks, who sets it and where that is written).
NAMES: tuple[tuple[str, str, str], ...] = (
    ("gclid", "Google Ads click", "Google Ads: auto-tagging"),
    ("gclsrc", "Google Ads click", "Google Ads: auto-tagging"),
    ("gbraid", "Google Ads click", "Google Ads: auto-tagging"),
    ("wbraid", "Google Ads click", "Google Ads: auto-tagging"),
    ("gad_source", "Google Ads click", "Google Ads: auto-tagging"),
    ("gad_campaignid", "Google Ads click", "Google Ads: auto-tagging"),
    ("dclid", "display advertisement click", "Google Campaign Manager 360: click ids"),
    ("srsltid", "merchant listing", "Google Merchant Center: auto-tagging"),
    ("_ga", "cross-domain linker", "Google Analytics: cross-domain measurement"),
    ("_gl", "cross-domain linker", "Google Analytics: cross-domain measurement"),
    ("fbclid", "click", "Meta: conversions API, fbc"),
    ("igshid", "share", "Instagram"),
    ("igsh", "share", "Instagram"),
    ("msclkid", "click", "Microsoft Advertising: click id"),
    ("yclid", "click", "Yandex Direct: click id"),
    ("ysclid", "search click", "Yandex"),
    ("_openstat", "campaign tagging", "Openstat, used by Yandex Direct"),
    ("twclid", "click", "X: click id"),
    ("ref_src", "embed", "X: embedded posts"),
    ("ref_url", "embed", "X: embedded posts"),
    ("ttclid", "click", "TikTok: click id"),
    ("li_fat_id", "click", "LinkedIn: conversion tracking"),
    ("rdt_cid", "click", "Reddit: click id"),
    ("epik", "click", "Pinterest: click id"),
    ("pk_campaign", "campaign tagging, older names", "Matomo: campaign tracking"),
    ("pk_kwd", "campaign tagging, older names", "Matomo: campaign tracking"),
    ("pk_source", "campaign tagging, older names", "Matomo: campaign tracking"),
    ("pk_medium", "campaign tagging, older names", "Matomo: campaign tracking"),
    ("piwik_campaign", "campaign tagging, oldest names", "Matomo: campaign tracking"),
    ("piwik_kwd", "campaign tagging, oldest names", "Matomo: campaign tracking"),
    ("at_medium", "campaign tagging", "Piano Analytics: marketing campaigns"),
    ("at_campaign", "campaign tagging", "Piano Analytics: marketing campaigns"),
    ("s_kwcid", "click", "Adobe Advertising"),
    ("ef_id", "click", "Adobe Advertising"),
    ("mkt_tok", "mail", "Adobe Marketo"),
    ("_hsenc", "mail", "HubSpot"),
    ("_hsmi", "mail", "HubSpot"),
    ("__hssc", "cookie in a link", "HubSpot"),
    ("__hstc", "cookie in a link", "HubSpot"),
    ("__hsfp", "cookie in a link", "HubSpot"),
    ("hsctatracking", "call to action", "HubSpot"),
    ("ml_subscriber", "mail", "MailerLite"),
    ("ml_subscriber_hash", "mail", "MailerLite"),
    ("_kx", "mail", "Klaviyo"),
    ("wickedid", "advertisements", "Wicked Reports"),
    ("spm", "click path", "Alibaba: super position model"),
    ("guccounter", "consent page", "Yahoo"),
    (
        "ref",
        "referrer, set by hand",
        "the seed's list; on some sites it chooses a version, so it is matched whole, never as a beginning",
    ),
    ("phpsessid", "session", "PHP manual: session.name"),
    ("jsessionid", "session", "Jakarta Servlet specification: URL rewriting"),
)

_EXACT = frozenset(name for name, _, _ in NAMES)
_STARTS = tuple(prefix for prefix, _, _ in PREFIXES)


def is_tracking(name: str) -> bool:
    """Whether a (decoded) parameter name only says where the reader came from. Case does not matter."""
    folded = name.lower()
    return folded in _EXACT or folded.startswith(_STARTS)
