"""Scripts that are written without blanks."""

import re

UNSPACED = re.compile(r"[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uac00-\ud7af]+")
"""A run of Chinese, Japanese or Korean signs, which the index keeps two at a time."""
