FROM python:3.12-slim
WORKDIR /src
COPY pyproject.toml README.md LICENSE requirements.lock ./
COPY cirulla_sim cirulla_sim
RUN pip install --no-cache-dir --constraint requirements.lock . && cirulla-sim warmup
WORKDIR /data
ENTRYPOINT ["cirulla-sim"]
