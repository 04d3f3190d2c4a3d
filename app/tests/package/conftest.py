"""One wheel for all tests of what a host installs."""

import pytest

from app.tests.package.wheel import Installed, build, install


@pytest.fixture(scope="session")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Installed:
    folder = tmp_path_factory.mktemp("wheel")
    return install(build(folder), folder)
