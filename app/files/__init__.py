"""Files below one folder: read whole, written in one step, never outside of it."""

from app.files.attributes import Attributes
from app.files.hidden import Hidden, has_name, hidden_by, is_held_open
from app.files.operations import (
    file_attributes,
    future_path,
    read_file,
    real_path,
    remove_aside,
    remove_empty_folder,
    remove_file,
    rename_file,
    set_aside,
    write_file,
)
from app.files.reading import Content, content_hash
from app.files.work import Work, path_sign

__all__ = [
    "Attributes",
    "Content",
    "Hidden",
    "Work",
    "content_hash",
    "file_attributes",
    "future_path",
    "has_name",
    "hidden_by",
    "is_held_open",
    "path_sign",
    "read_file",
    "real_path",
    "remove_aside",
    "remove_empty_folder",
    "remove_file",
    "rename_file",
    "set_aside",
    "write_file",
]
