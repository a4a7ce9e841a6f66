"""Measures the benchmark's request, answered from a recording."""

import json
import os

from . import load, servers

#: Header fields that the server adds itself.
_OWN = {"date", "x-request-id"}


def archive(model):
    """A recording of the measured request alone."""
    fields = [{"name": name, "value": value} for name, value in model.fields if name.lower() not in _OWN]
    content = {"size": len(model.body), "mimeType": "application/json", "text": model.body.decode()}
    request = {"method": "GET", "url": "http://127.0.0.1/api/v1/conversations", "httpVersion": "HTTP/1.1"}
    answer = {"status": model.status, "statusText": "OK", "httpVersion": "HTTP/1.1", "headers": fields, "content": content}
    for part in (request, answer):
        part.update(cookies=[], headersSize=-1, bodySize=-1)
    request.update(headers=[], queryString=[])
    answer.update(redirectURL="")
    timings = {"send": 0, "wait": 1, "receive": 0}
    entry = {"startedDateTime": "2025-01-01T12:00:00Z", "time": 1, "request": request, "response": answer, "cache": {}, "timings": timings}
    return {"log": {"version": "1.2", "creator": {"name": "bench", "version": "1"}, "entries": [entry]}}


def measure(program, model, fields, folder, rounds, seconds):
    """Returns {connections: Load} of the median rates."""
    os.makedirs(folder, exist_ok=True)
    path = os.path.join(folder, "measured.har")
    with open(path, "w") as file:
        json.dump(archive(model), file)
    server = servers.Understudy(program, name="understudy (replay)", command=("replay", path, "--api", "omnichat"))
    server.fields = fields
    with server:
        if server.check().body != model.body:
            raise RuntimeError("replay does not serve the recorded body")
        found = {}
        for connections in (32, 1):
            runs = [load.run(server, connections, seconds) for _ in range(max(1, rounds // 2))]
            found[connections] = sorted(runs, key=lambda run: run.rate)[len(runs) // 2]
    return found
