"""The nearest vault around a folder; asked by commands that import nothing else of the program."""

import os
import stat

SETTINGS_FOLDER = ".obsidian"


def nearest_vault(start: str) -> str | None:
    """Return the nearest folder, from an absolute one upwards, that Obsidian has opened as a vault."""
    folder = start
    while True:
        try:
            if stat.S_ISDIR(os.stat(os.path.join(folder, SETTINGS_FOLDER)).st_mode):
                return folder
        except OSError:
            pass
        above = os.path.dirname(folder)
        if above == folder:
            return None
        folder = above
