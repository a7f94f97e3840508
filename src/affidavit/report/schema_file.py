"""Makes the JSON Schema files that ship, from the shapes in `schema`, `check_schema`, `judge_schema`, `drift_schema`,
`piece_schema` and `facts_schema`.

python -c "from affidavit.report.schema_file import write; write()"
"""

import ast
import inspect
import json
from pathlib import Path
from typing import Any

from affidavit.report import check_schema, drift_schema, facts_schema, judge_schema, piece_schema, schema

FOLDER = Path(__file__).parent / "schemas"


_SHAPES: dict[str, Any] = {
    "answer": schema.AnswerJson,
    "check": check_schema.CheckJson,
    "judge": judge_schema.JudgeJson,
    "drift": drift_schema.DriftJson,
    "piece": piece_schema.PieceJson,
    "register": facts_schema.RegisterJson,
    "fact": facts_schema.FactDetailJson,
}
_MODULES = (schema, check_schema, judge_schema, drift_schema, piece_schema, facts_schema)


def generate(kind: str = "answer") -> dict[str, Any]:
    """The JSON Schema (draft 2020-12) of one of `schema.KINDS`, each field described by the text under it."""
    from pydantic import TypeAdapter  # late: only this and the reader of bundles need it

    made = _without_titles(TypeAdapter(_SHAPES[kind]).json_schema())
    told = _field_docstrings()
    for name, shape in (*made["$defs"].items(), (_SHAPES[kind].__name__, made)):
        for field, part in shape["properties"].items():
            if field in told[name]:
                part["description"] = told[name][field]
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": f"Affidavit {kind}", **made}


def write(folder: Path = FOLDER) -> None:
    """Write the files into `folder`."""
    for kind in schema.KINDS:
        text = json.dumps(generate(kind), indent=2) + "\n"
        (folder / f"{kind}.schema.json").write_text(text, encoding="utf-8")


def _field_docstrings() -> dict[str, dict[str, str]]:
    """Field descriptions by class, inherited ones included; a TypedDict keeps neither its bases nor its comments."""
    told: dict[str, dict[str, str]] = {}
    for node in (node for module in _MODULES for node in ast.parse(inspect.getsource(module)).body):
        if not isinstance(node, ast.ClassDef):
            continue
        fields: dict[str, str] = {}
        for base in node.bases:
            fields |= told.get(base.id, {}) if isinstance(base, ast.Name) else {}
        for field, below in zip(node.body, node.body[1:], strict=False):
            if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name):
                match below:
                    case ast.Expr(value=ast.Constant(value=str(text))):
                        fields[field.target.id] = text
                    case _:
                        pass
        told[node.name] = fields
    return told


def _without_titles(part: Any) -> Any:
    """The schema without the titles that pydantic makes of the names. A property named "title" is no text: it stays."""
    if isinstance(part, dict):
        parts: dict[str, Any] = part
        return {
            key: _without_titles(inner)
            for key, inner in parts.items()
            if not (key == "title" and isinstance(inner, str))
        }
    return [_without_titles(inner) for inner in part] if isinstance(part, list) else part
