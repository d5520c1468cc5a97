# docker build -t cirulla-sim .
# docker run --rm -v cirulla-sim:/cache -v "$PWD:/data" --user "$(id -u)" cirulla-sim simulate --hands 100k -o four.parquet
#
# The first run compiles for the processor that it finds, half a minute, and keeps the code in the volume /cache, a
# processor beside another. Nothing is run as root; --user makes the files of -o your own.
FROM python:3.12.8-slim-bookworm
WORKDIR /src
COPY pyproject.toml README.md LICENSE requirements.lock ./
COPY cirulla_sim cirulla_sim
RUN pip install --no-cache-dir --constraint requirements.lock . && \
    useradd --create-home player && mkdir --mode 1777 /data /cache
ENV XDG_CACHE_HOME=/cache XDG_CONFIG_HOME=/cache
USER player
WORKDIR /data
ENTRYPOINT ["cirulla-sim"]
