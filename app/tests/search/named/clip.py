"""A tiny random CLIP: it means nothing, and is real in all else."""

from pathlib import Path


def build_clip(folder: Path, seed: int = 0, dimension: int = 24) -> Path:
    import torch
    from transformers import CLIPConfig, CLIPImageProcessorPil, CLIPModel, CLIPProcessor, CLIPTokenizer

    letters = "abcdefghijklmnopqrstuvwxyz0123456789"
    pieces = [*letters, *(letter + "</w>" for letter in letters), "<|startoftext|>", "<|endoftext|>"]
    vocabulary = {piece: number for number, piece in enumerate(pieces)}
    tokenizer = CLIPTokenizer(vocab=vocabulary, merges=[], model_max_length=48)
    size = {"hidden_size": 32, "intermediate_size": 37, "num_hidden_layers": 1, "num_attention_heads": 2}
    end = vocabulary["<|endoftext|>"]
    text = {
        "vocab_size": len(pieces),
        "max_position_embeddings": 48,
        "bos_token_id": end - 1,
        "eos_token_id": end,
        "pad_token_id": end,
    }
    torch.manual_seed(seed)
    model = CLIPModel(
        CLIPConfig(
            text_config=size | text,
            vision_config=size | {"image_size": 32, "patch_size": 8},
            projection_dim=dimension,
        )
    )
    model.save_pretrained(folder)
    images = CLIPImageProcessorPil(size={"shortest_edge": 32}, crop_size={"height": 32, "width": 32})
    processor = CLIPProcessor(image_processor=images, tokenizer=tokenizer)  # type: ignore[no-untyped-call]
    processor.save_pretrained(folder)
    return folder
