"""What checking a bundle found: what was checked, what could not be, and what no check of a bundle can tell."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Check:
    """One kind of check over `count` things. `ok` is None where it could not be made, wholly or for some of them.

    It is never False: the first disagreement raises BundleMismatch instead of ending up in a list.
    """

    name: str
    count: int
    ok: bool | None
    detail: str


@dataclass(frozen=True, slots=True, kw_only=True)
class BundleReport:
    """`could_not_check` says what this machine was not able to check, and what would make it able. `not_checked`
    says what the file alone cannot tell anybody. `signer` is the Ed25519 key, in hex, whose signature holds."""

    run_id: str
    product: str
    signer: str | None
    checks: tuple[Check, ...]
    could_not_check: tuple[str, ...]
    not_checked: tuple[str, ...]

    @property
    def verified(self) -> bool:
        """Whether every check was made. A bundle that could not be checked in part is not verified, nor refuted."""
        return bool(self.checks) and not self.could_not_check and all(check.ok for check in self.checks)

    def as_json(self) -> dict[str, object]:
        return {
            "kind": "bundle_report",
            "verified": self.verified,
            "run_id": self.run_id,
            "product": self.product,
            "signer": self.signer,
            "checks": [
                {"name": check.name, "count": check.count, "ok": check.ok, "detail": check.detail}
                for check in self.checks
            ],
            "could_not_check": list(self.could_not_check),
            "not_checked": list(self.not_checked),
        }
