"""Help that lists a command's operations from the code itself."""

from collections.abc import Mapping
from typing import Any

from typer.core import TyperCommand


class MenuCommand(TyperCommand):
    """A command whose first argument is one of several operations."""

    def operations(self) -> Mapping[Any, object]:
        """Give the operations by name; looked up only when help is shown."""
        raise NotImplementedError

    def format_epilog(self, ctx: Any, formatter: Any) -> None:  # noqa: ANN401 - typer keeps the types to itself
        """Write the first sentence of each operation, then the examples."""
        with formatter.section("Operations"):
            formatter.write_dl(
                [
                    (name, (function.__doc__ or "").strip().split("\n")[0])
                    for name, function in self.operations().items()
                ]
            )
        super().format_epilog(ctx, formatter)
