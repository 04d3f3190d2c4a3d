"""Make one module of a sentence-transformers model: texts to vectors and token vectors in a single pass."""

from typing import TYPE_CHECKING, Any

from app.errors import ModelError

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer
    from torch import Tensor, nn


def one_pass(name: str, model: "SentenceTransformer") -> "nn.Module":
    """Make of a model one module: ids and mask to vectors and token vectors, all of length 1.

    Raises:
        ModelError: the model is not made of a transformer and a pooling.
    """
    from sentence_transformers.sentence_transformer.modules import Pooling, Transformer
    from torch import nn
    from torch.nn.functional import normalize

    modules = list(model)
    poolings = [at for at, module in enumerate(modules) if isinstance(module, Pooling)]
    transformer = modules[0]
    if not poolings or not isinstance(transformer, Transformer) or "message" in transformer.modality_config:
        kinds = ", ".join(type(module).__name__ for module in modules)
        raise ModelError(
            f"model '{name}' is not a text transformer with pooling, but {kinds}", "name another model"
        )
    pooling = modules[poolings[0]]
    if not pooling.include_prompt and any(model.prompts.values()):
        raise ModelError(f"model '{name}' leaves its prompts out of its vectors", "name another model")

    # Several poolings side by side make a vector of several widths.
    mode: Any = pooling.pooling_mode
    copies = 1 if isinstance(mode, str) else len(mode)

    class OnePass(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.transformer = transformer
            self.pooled = nn.ModuleList(modules[1 : poolings[0] + 1])
            self.after = nn.ModuleList(modules[poolings[0] + 1 :])

        def forward(self, ids: "Tensor", mask: "Tensor") -> "tuple[Tensor, Tensor]":
            features: dict[str, Any] = {"input_ids": ids, "attention_mask": mask}
            features = self.transformer(features)
            features["token_embeddings"] = features["token_embeddings"].float()
            for module in self.pooled:
                features = module(features)
            return self.finished(features["sentence_embedding"]), self.pieces(features["token_embeddings"])

        def pieces(self, tokens: "Tensor") -> "Tensor":
            """Lead token vectors the way of text vectors, so that both lie in one space."""
            rows = tokens.flatten(0, 1).repeat(1, copies)
            return self.finished(rows).reshape(tokens.shape[0], tokens.shape[1], -1)

        def finished(self, rows: "Tensor") -> "Tensor":
            features = {"sentence_embedding": rows}
            for module in self.after:
                features = module(features)
            unit: Tensor = normalize(features["sentence_embedding"], dim=-1)
            return unit

    return OnePass().eval().requires_grad_(False)
