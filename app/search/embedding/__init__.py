"""From text, or an image, to vectors: models found, loaded and run."""
