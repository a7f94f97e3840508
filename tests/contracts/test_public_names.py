"""What other programs may rely on. A name that leaves this list breaks them: say so in the changelog."""

import subprocess
import sys

import affidavit


def test_the_package_offers_these_names_and_no_others():
    assert affidavit.__all__ == [
        "Answer",
        "Boundary",
        "Check",
        "CheckedSentence",
        "Claim",
        "Conflict",
        "Document",
        "Gap",
        "GapKind",
        "Guarded",
        "Issue",
        "Label",
        "Piece",
        "PieceState",
        "ReplayReport",
        "SentenceKind",
        "SentenceState",
        "Span",
        "Stance",
        "State",
        "Verdict",
        "VerifiedClaim",
        "__version__",
        "aask",
        "acheck",
        "aguard",
        "areplay",
        "aresume",
        "ask",
        "awrite",
        "check",
        "guard",
        "replay",
        "resume",
        "write",
    ]


def test_every_public_name_is_there():
    for name in affidavit.__all__:
        assert getattr(affidavit, name) is not None


def test_a_name_that_is_not_there_is_an_attribute_error():
    assert not hasattr(affidavit, "certify")


def test_importing_the_package_loads_none_of_its_rooms():
    loaded = "[name for name in sys.modules if name.startswith('affidavit.') and name != 'affidavit.version']"
    code = f"import sys, affidavit; print({loaded})"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout == "[]\n"


def test_a_public_call_stays_one_after_the_room_of_its_name_is_loaded():
    code = (
        "import affidavit, affidavit.check, affidavit.check.draft, affidavit.replay\n"
        "from affidavit.check import Checker\n"
        "from affidavit import check, replay\n"
        "from affidavit.public import check as public, replay as derived\n"
        "assert affidavit.check is check is public, affidavit.check\n"
        "assert affidavit.replay is replay is derived, affidavit.replay\n"
    )
    subprocess.run([sys.executable, "-W", "error", "-c", code], check=True)
