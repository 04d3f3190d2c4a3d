"""Files below one folder: read whole, written in one step, never outside of it."""

from app.files.atomic import Content, content_hash
from app.files.operations import (
    file_mode,
    future_path,
    read_file,
    real_path,
    remove_empty_folder,
    remove_file,
    rename_file,
    set_aside,
    write_file,
)

__all__ = [
    "Content",
    "content_hash",
    "file_mode",
    "future_path",
    "read_file",
    "real_path",
    "remove_empty_folder",
    "remove_file",
    "rename_file",
    "set_aside",
    "write_file",
]
