"""A record read as the row that a suite wants, or refused with its file, line and field."""

from typing import TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError

from affidavit.errors import UserError
from affidavit.evals.records import Placed


class Row(BaseModel):
    """What every row has. `kind` is what it tries. Fields that a suite does not know are not read; a row that people
    disagree about is `debatable`: it is shown and counts for nothing."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    id: str
    kind: str = "plain"
    debatable: bool = False


R = TypeVar("R", bound=Row)


def read_row(shape: type[R], placed: Placed) -> R:
    """Raises UserError for a record that is not of `shape`."""
    try:
        return shape.model_validate(placed.record)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        field = ".".join(map(str, first["loc"])) or "the row"
        raise UserError(f"{placed.where}: {field}: {first['msg'].lower()}") from None
