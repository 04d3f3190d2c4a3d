# The MCP server of one vault, over HTTP, for clients that carry the token:
#
#     docker build -t vault-assistant .
#     docker run --rm -p 127.0.0.1:8765:8765 -e VAULT_ASSISTANT_MCP_TOKEN \
#         -v ~/Notes:/vault:ro -v vault-assistant:/data vault-assistant
#
# Nothing changes a note: the vault is mounted for reading, and no tool that writes is offered. The index stands
# in the volume /data. Search by meaning needs PyTorch and some gigabytes: --build-arg EXTRAS=mcp,watch,deep; a
# language model needs the extra openai or anthropic.

FROM python:3.11-slim-bookworm AS build
WORKDIR /source
COPY constraints.txt pyproject.toml hatch_build.py README.md LICENSE ./
RUN pip install --no-cache-dir -c constraints.txt hatchling babel
COPY app app
RUN python -m hatchling build -t wheel -d /wheel

FROM python:3.11-slim-bookworm
ARG EXTRAS=mcp,watch
COPY constraints.txt /tmp/
RUN --mount=type=bind,from=build,source=/wheel,target=/wheel \
    pip install --no-cache-dir -c /tmp/constraints.txt "$(echo /wheel/*.whl)[${EXTRAS}]"
# The user owns what the volume begins with, and no other file.
RUN useradd --uid 10001 --create-home --home-dir /data --shell /usr/sbin/nologin vault && mkdir /vault
USER 10001
WORKDIR /data
ENV VAULT_ASSISTANT_VAULT=/vault \
    VAULT_ASSISTANT_CACHE_DIR=/data/cache \
    VAULT_ASSISTANT_STATE_DIR=/data/state \
    PYTHONUNBUFFERED=1
VOLUME /data
EXPOSE 8765
ENTRYPOINT ["vault-assistant"]
# Inside, every address is the container's own: who reaches it from outside is decided by -p, and by the token.
CMD ["mcp", "--http", "--host", "0.0.0.0", "--port", "8765", "--read-only"]
