"""Results as dataclasses, made from the JSON schemas that the command's results follow.

docs/results.md says what each figure means. A figure that is undefined is None.
"""
from __future__ import annotations

import dataclasses
import functools
import json
import keyword
import os
import typing

_HERE = os.path.dirname(os.path.abspath(__file__))
# Installed, the schemas lie beside this file; in the source tree with the code that writes results.
_SCHEMAS = next(
    path
    for path in (os.path.join(_HERE, "schemas"), os.path.join(_HERE, "../../results/schemas"))
    if os.path.isdir(path)
)
_SCALARS = {"string": str, "integer": int, "number": float, "boolean": bool}


class Record:
    """A part of a result. `json` is the part as the command wrote it, with all its keys."""

    json: dict

    @classmethod
    def from_json(cls, data: dict):
        """Keys that the schema does not know are in `json` alone: a later version may have more."""
        values = {}
        for field in dataclasses.fields(cls):
            convert = field.metadata["convert"]
            value = data.get(field.metadata["key"])
            values[field.name] = None if value is None else convert(value)
        record = cls(**values)
        record.json = data
        return record

    def to_pandas(self):
        """The record's rows, or else its figures, as a pandas.DataFrame: names with dots are nested."""
        import pandas

        rows = next((self.json[k] for k in ("runs", "candidates", "launches") if k in self.json), self.json)
        return pandas.json_normalize(rows)


def _plain(value):
    return value


class _Schema:
    """One file of schemas, and the classes of the objects in it."""

    def __init__(self, name):
        with open(os.path.join(_SCHEMAS, name + ".1.json"), encoding="utf-8") as file:
            self.root = json.load(file)
        self.name = name
        self.classes = {}

    def definition(self, name):
        if name not in self.classes:
            self.classes[name] = self.make(self.root["$defs"][name], name)
        return self.classes[name]

    def read(self, node, name):
        """The type of a value, and what makes one of JSON."""
        if "anyOf" in node:
            node = next(n for n in node["anyOf"] if n.get("type") != "null")
        if "$ref" in node:
            file, _, part = node["$ref"].partition("#/$defs/")
            if not part:  # a whole result, which may hold its own kind
                return Record, lambda value: record_class(file.split(".")[0]).from_json(value)
            cls = self.definition(part)
            return cls, cls.from_json
        types = node.get("type", "string" if "const" in node else [])
        types = [t for t in ([types] if isinstance(types, str) else types) if t != "null"]
        if types == ["array"]:
            kind, convert = self.read(node.get("items", {}), name)
            return list[kind], lambda values: [None if v is None else convert(v) for v in values]
        if types == ["object"] and "properties" in node:
            cls = self.make(node, name)
            return cls, cls.from_json
        if types == ["object"]:
            kind, convert = self.read(node["additionalProperties"], name)
            return dict[str, kind], lambda values: {
                k: None if v is None else convert(v) for k, v in values.items()
            }
        return (_SCALARS[types[0]] if len(types) == 1 else typing.Any), _plain

    def make(self, node, name):
        fields = []
        for key, value in node["properties"].items():
            kind, convert = self.read(value, key)
            python = key + "_" if keyword.iskeyword(key) else key
            field = dataclasses.field(default=None, metadata={"key": key, "convert": convert})
            fields.append((python, typing.Optional[kind], field))
        class_name = "".join(part.capitalize() for part in name.split("_"))
        return dataclasses.make_dataclass(
            class_name, fields, bases=(Record,), namespace={"__module__": __name__}
        )


@functools.lru_cache(maxsize=None)
def record_class(name: str) -> type:
    """The class of a verb's results: "run", "compare", "analyze", "order" and others."""
    schema = _Schema(name)
    return schema.make(schema.root, name)


def record(data: dict) -> Record:
    """A result that `--json` wrote."""
    return record_class(data["schema"].split(".")[1].split("/")[0]).from_json(data)
