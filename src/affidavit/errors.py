"""Every error Affidavit raises on purpose, in one tree, split by who must act.

    AffidavitError
    ├── UserError            the person at the keyboard: change the input and run again
    │   ├── ArchiveError     a web archive is missing, truncated, empty or of another format
    │   ├── NotResearchable  no result could change the answer to what was asked
    │   ├── Overtaken        somebody else changed the same thing first: look at it and decide again
    │   └── MissingExtra     an optional part is not installed
    ├── ToolError            the model: a tool call was refused, and the text says what to do next
    │   ├── InvalidArgument
    │   ├── LocatorNotFound
    │   ├── LocatorAmbiguous
    │   ├── UnknownDocId
    │   └── SpanBudgetExceeded
    ├── PageFailure          nobody: one page could not be read; the run goes on and reports it
    ├── HostFailure          nobody: one host was not reached; becomes the failure of the page or search that wanted it
    ├── SearchFailure        nobody: one search provider did not answer; the others do, and the run reports it
    ├── ModelFailure         whoever called: one model call gave no reply; its kind says whether to ask again
    ├── OperatorError        whoever runs the machine: a folder, a disk, a database, another process
    │   ├── StorageError
    │   └── GatewayError     the gateway's process does not answer, or took this run for none of its own
    ├── NotRecorded          nobody: what a replay needs is not in the ledger; the replay says so
    └── IntegrityError       stop: stored evidence is not what it says it is
        ├── SpanMismatch
        ├── BlobMismatch
        ├── BundleMismatch
        └── ForbiddenAction

A message names the thing, its value, and what to do. Nothing here is caught and dropped: `PageFailure`
becomes a line of the answer's gaps, and `ToolError` becomes the tool's result.
"""

from enum import StrEnum


class AffidavitError(Exception):
    """Root of the tree."""


class UserError(AffidavitError):
    """The input must change."""


class ArchiveError(UserError):
    """A web archive cannot be read as one."""


class NotResearchable(UserError):
    """No result could change the answer."""


class MissingExtra(UserError):
    """An optional dependency is not installed; the message holds the install command."""


class Overtaken(UserError):
    """Somebody else changed the same thing first. Nothing was recorded of what was to be."""


class ToolError(AffidavitError):
    """A refused tool call. `code` is stable; `retryable` says whether another call can succeed."""

    code = "TOOL_ERROR"
    retryable = False


class InvalidArgument(ToolError):
    code = "INVALID_ARGUMENT"
    retryable = True


class LocatorNotFound(ToolError):
    code = "LOCATOR_NOT_FOUND"
    retryable = True


class LocatorAmbiguous(ToolError):
    """`occurrences` are start offsets; `following` are, place by place, words that tell them apart."""

    code = "LOCATOR_AMBIGUOUS"
    retryable = True

    def __init__(self, message: str, occurrences: tuple[int, ...], following: tuple[str | None, ...]) -> None:
        super().__init__(message)
        self.occurrences = occurrences
        self.following = following


class UnknownDocId(ToolError):
    code = "UNKNOWN_DOC_ID"


class SpanBudgetExceeded(ToolError):
    code = "SPAN_BUDGET_EXCEEDED"


class FailureKind(StrEnum):
    """Why a page is no evidence. The values are stable: they stand in ledgers and answers."""

    NOT_FOUND = "not_found"
    BLOCKED_BY_POLICY = "blocked_by_policy"
    ROBOTS = "robots"
    CHALLENGE = "challenge"
    COOKIE_WALL = "cookie_wall"
    LOGIN = "login"
    PAYWALL = "paywall"
    JAVASCRIPT = "javascript"
    SOFT_404 = "soft_404"
    RATE_LIMIT = "rate_limit"
    GEO_BLOCK = "geo_block"
    AGE_GATE = "age_gate"
    PARKED = "parked"
    MAINTENANCE = "maintenance"
    NAV_ONLY = "nav_only"
    SEARCH_RESULTS = "search_results"
    ERROR = "error"
    REDIRECT_STUB = "redirect_stub"
    EMPTY_BODY = "empty_body"
    NO_TEXT = "no_text"
    BAD_TYPE = "bad_type"
    TYPE_MISMATCH = "type_mismatch"
    BROKEN = "broken"
    ENCRYPTED = "encrypted"
    TOO_LARGE = "too_large"
    TIMEOUT = "timeout"
    CRASHED = "crashed"
    TLS = "tls"
    DNS = "dns"
    UNREACHABLE = "unreachable"


class PageFailure(AffidavitError):
    """One page is no evidence; `kind` says why, the message says what a person can do."""

    def __init__(self, kind: FailureKind, url: str, detail: str) -> None:
        super().__init__(f"{url}: {kind.value}: {detail}")
        self.kind = kind
        self.url = url
        self.detail = detail

    def __reduce__(self) -> tuple[type["PageFailure"], tuple[FailureKind, str, str]]:
        return (PageFailure, (self.kind, self.url, self.detail))


class SearchFailureKind(StrEnum):
    """Why a search provider gave no results. The values are stable: they stand in ledgers and answers."""

    AUTH = "auth"
    QUOTA = "quota"
    RATE_LIMITED = "rate_limited"
    BAD_REQUEST = "bad_request"
    UNAVAILABLE = "unavailable"
    BAD_RESPONSE = "bad_response"


_SEARCH_ADVICE = {
    SearchFailureKind.AUTH: "check its key; `affidavit doctor` names the variable",
    SearchFailureKind.QUOTA: "its allowance is used up: wait for the next period, raise it, or leave the provider out",
    SearchFailureKind.RATE_LIMITED: "ask again later, or leave the provider out",
    SearchFailureKind.BAD_REQUEST: "reword the query, or check the search settings",
    SearchFailureKind.UNAVAILABLE: "ask again later",
    SearchFailureKind.BAD_RESPONSE: "its interface may have changed, or something stands between; "
    "look for a newer version of affidavit",
}


class SearchFailure(AffidavitError):
    """One provider gave no results for one query, and says nothing about whether there are any.

    `retry_after` is in seconds, from when the failure was raised; None where the provider did not say.
    """

    def __init__(
        self, kind: SearchFailureKind, provider: str, detail: str, retry_after: float | None = None, advice: str = ""
    ) -> None:
        wait = f" (free again in {retry_after:.0f} s)" if retry_after else ""
        does = advice or _SEARCH_ADVICE[kind]
        super().__init__(f"provider {provider}: {kind.value.replace('_', ' ')}: {detail}{wait}; {does}")
        self.kind = kind
        self.provider = provider
        self.detail = detail
        self.retry_after = retry_after
        self.advice = does

    def __reduce__(
        self,
    ) -> tuple[type["SearchFailure"], tuple[SearchFailureKind, str, str, float | None, str]]:
        return (SearchFailure, (self.kind, self.provider, self.detail, self.retry_after, self.advice))


class ModelFailureKind(StrEnum):
    """Why a call to a language model gave no reply. The values are stable: they stand in ledgers and answers."""

    AUTH = "auth"
    QUOTA = "quota"
    RATE_LIMITED = "rate_limited"
    CONTEXT_LENGTH = "context_length"
    BAD_REQUEST = "bad_request"
    CONTENT_FILTER = "content_filter"
    UNAVAILABLE = "unavailable"
    TIMEOUT = "timeout"
    BAD_REPLY = "bad_reply"
    SPEND_LIMIT = "spend_limit"
    TIME_LIMIT = "time_limit"


_MODEL_ADVICE = {
    ModelFailureKind.AUTH: "check its key; `affidavit doctor` names the variable",
    ModelFailureKind.QUOTA: "the account's credit is used up: add to it, or choose another model",
    ModelFailureKind.RATE_LIMITED: "ask again later, or run fewer calls at once (models.at_once)",
    ModelFailureKind.CONTEXT_LENGTH: "set models.context_tokens to what it reads, or choose a model that reads more",
    ModelFailureKind.BAD_REQUEST: "check the model's name and what it can do; `affidavit doctor` lists the roles",
    ModelFailureKind.CONTENT_FILTER: "the provider refuses this text: reword the question, or choose another model",
    ModelFailureKind.UNAVAILABLE: "ask again later; for a server of your own, check that it runs",
    ModelFailureKind.TIMEOUT: "raise models.seconds, or choose a faster model",
    ModelFailureKind.BAD_REPLY: "choose a stronger model for this role",
    ModelFailureKind.SPEND_LIMIT: "raise --max-usd, or go on with what there is",
    ModelFailureKind.TIME_LIMIT: "raise --max-seconds, or go on with what there is",
}


class ModelFailure(AffidavitError):
    """One call to a language model gave no reply that can be used.

    `uncertain` is whether the provider may have done, and charged for, the work all the same: it was asked, and the
    answer did not come. `retry_after` is in seconds, from when the failure was raised; None where nobody said.
    """

    def __init__(
        self,
        kind: ModelFailureKind,
        model: str,
        detail: str,
        *,
        retry_after: float | None = None,
        uncertain: bool = False,
        advice: str = "",
    ) -> None:
        wait = f" (free again in {retry_after:.0f} s)" if retry_after else ""
        does = advice or _MODEL_ADVICE[kind]
        super().__init__(f"model {model}: {kind.value.replace('_', ' ')}: {detail}{wait}; {does}")
        self.kind = kind
        self.model = model
        self.detail = detail
        self.retry_after = retry_after
        self.uncertain = uncertain
        self.advice = does


class HostFailure(AffidavitError):
    """One host was not reached, or was not allowed to be.

    `kind` is BLOCKED_BY_POLICY, DNS, TIMEOUT, TLS or UNREACHABLE; `reason` is the policy's reason code if the policy
    refused it; `address` the address that was refused or tried.
    """

    def __init__(
        self, kind: FailureKind, host: str, detail: str, *, reason: str | None = None, address: str | None = None
    ) -> None:
        super().__init__(f"{host}: {kind.value}: {detail}")
        self.kind = kind
        self.host = host
        self.detail = detail
        self.reason = reason
        self.address = address


class OperatorError(AffidavitError):
    """The machine or its set-up must change."""


class StorageError(OperatorError):
    """A folder, disk or database refused a read or a write."""


class GatewayError(OperatorError):
    """The gateway's process does not answer, refused a run, or could not do what it was asked."""


class NotRecorded(AffidavitError):
    """The ledger lacks what a run would need to be derived again; the message names it."""


class IntegrityError(AffidavitError):
    """Stored evidence disagrees with its address. The whole run fails."""


class SpanMismatch(IntegrityError):
    """A span's text is not what its document holds there."""


class BlobMismatch(IntegrityError):
    """Stored bytes do not hash to their key."""


class BundleMismatch(IntegrityError):
    """An evidence bundle was altered; the message names the first place that disagrees."""


class ForbiddenAction(IntegrityError):
    """A run's own record shows an action that no run may take; the message names the first and how many there are."""
