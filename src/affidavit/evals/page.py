"""A page of figures: a template in the style of all such pages, which no script and no other style may change."""

import base64
import hashlib
from importlib.resources import files

from affidavit.report.html import environment


def figures_page(template: str, **given: object) -> str:
    """The `template` of the reports, filled in; the page allows its own style sheet alone, by its digest."""
    style = files("affidavit.report").joinpath("suites.css").read_text(encoding="utf-8")
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    return environment().get_template(template).render(style=style, digest=digest, **given)
