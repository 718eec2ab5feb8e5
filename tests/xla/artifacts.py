"""Compares each NAME.mlirbc of a folder with NAME.mlir, as JAX's library of StableHLO reads them."""

import sys
from pathlib import Path

from jax._src.interpreters import mlir
from jaxlib.mlir import ir
from jaxlib.mlir.dialects import stablehlo

texts = sorted(Path(sys.argv[1]).glob("*.mlir"))
wrong, versions = [], {}
for text in texts:
    data = text.with_suffix(".mlirbc").read_bytes()
    version = data[: data.index(b"\0")].decode(errors="replace").rpartition("_v")[2]
    versions[version] = versions.get(version, 0) + 1
    with mlir.make_ir_context() as context:
        try:
            expected, found = ir.Module.parse(text.read_text()), stablehlo.deserialize_portable_artifact(context, data)
        except Exception as e:
            wrong.append(f"{text.stem}: {e}")
            continue
        if str(found) != str(expected):
            pairs = zip(str(found).splitlines(), str(expected).splitlines())
            wrong.append(f"{text.stem}: " + next((f"{a.strip()}\n    expected {b.strip()}" for a, b in pairs if a != b), "cut off"))
print(f"{len(texts) - len(wrong)} artifacts are what their texts are")
print(versions, *wrong, sep="\n")
sys.exit(bool(wrong))
