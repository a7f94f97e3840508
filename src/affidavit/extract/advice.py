"""What a person can do about a page that is no evidence, by kind; and what a status means by itself."""

from affidavit.errors import FailureKind

_SAVE = "Open it in a browser, save the page, and give the saved file as a source"

ADVICE: dict[FailureKind, str] = {
    FailureKind.CHALLENGE: f"The site keeps programs out. {_SAVE}",
    FailureKind.COOKIE_WALL: f"The site asks for consent first. {_SAVE}",
    FailureKind.LOGIN: f"Sign in with a browser if you have an account. {_SAVE}",
    FailureKind.PAYWALL: f"The text is for subscribers. {_SAVE} if you have access, or look for another source",
    FailureKind.JAVASCRIPT: f"The text appears only in a browser. {_SAVE}",
    FailureKind.SOFT_404: "The page is gone. Look for it under another address or in a web archive",
    FailureKind.NOT_FOUND: "The page is gone. Look for it under another address or in a web archive",
    FailureKind.RATE_LIMIT: "Wait some minutes and fetch it again",
    FailureKind.GEO_BLOCK: "The site does not answer this country. Look for another source of the same",
    FailureKind.AGE_GATE: f"The site asks for an age first. {_SAVE}",
    FailureKind.PARKED: "The site is gone or not yet there. Look for the page in a web archive",
    FailureKind.MAINTENANCE: "The site is down for now. Fetch the page again later",
    FailureKind.NAV_ONLY: "Follow one of its links to a page with text",
    FailureKind.SEARCH_RESULTS: "Fetch the results themselves",
    FailureKind.ERROR: "The site failed. Fetch the page again later",
    FailureKind.REDIRECT_STUB: "Fetch the address that it points to",
    FailureKind.NO_TEXT: f"If a browser shows text there: {_SAVE[0].lower()}{_SAVE[1:]}",
    FailureKind.BROKEN: "Fetch the page again",
    FailureKind.EMPTY_BODY: "Fetch the page again, or open it in a browser",
}

# RFC 9110, section 15, and RFC 6585, RFC 7725; the class (4, 5, …) stands for a status without a row of its own.
BY_STATUS: dict[int, tuple[FailureKind, str]] = {
    1: (FailureKind.BROKEN, "an interim answer"),
    2: (FailureKind.BROKEN, "not the whole page"),
    3: (FailureKind.REDIRECT_STUB, "a redirect that was not followed"),
    4: (FailureKind.ERROR, "the request was refused"),
    5: (FailureKind.ERROR, "the server failed"),
    204: (FailureKind.EMPTY_BODY, "no content"),
    205: (FailureKind.EMPTY_BODY, "no content"),
    206: (FailureKind.BROKEN, "only a part of the page"),
    401: (FailureKind.LOGIN, "sign-in required"),
    402: (FailureKind.PAYWALL, "payment required"),
    403: (FailureKind.CHALLENGE, "access denied"),
    404: (FailureKind.NOT_FOUND, "not found"),
    407: (FailureKind.LOGIN, "sign-in required"),
    410: (FailureKind.NOT_FOUND, "gone"),
    429: (FailureKind.RATE_LIMIT, "too many requests"),
    451: (FailureKind.GEO_BLOCK, "withheld for legal reasons"),
    503: (FailureKind.MAINTENANCE, "service unavailable"),
}
