"""The keys of [http]."""

from __future__ import annotations

from cord.plan import calling, http, values
from cord.plan.keys import Key, Table

_TIME = 'a time such as "30s", "500ms" or "2min"'
HTTP = Table(
    "[http]",
    Key(
        "bind",
        "The address at which cord serve listens; port 0 is any that is free.",
        allowed='host and port such as "127.0.0.1:8080", "0.0.0.0:80" or "[::1]:8080"',
        default='"127.0.0.1:8080"',
        read=http.bind,
    ),
    Key(
        "routes",
        "Which function answers which method and path.",
        allowed='a table such as { "GET /hello/{name}" = "work.hello" }',
        read=http.routes,
    ),
    Key(
        "queue",
        "How many requests may wait for each module, beside those that are served.",
        allowed=f"a whole number from 0 to {http.MOST_WAITING}",
        default="100",
        read=http.waiting,
    ),
    Key(
        "deadline",
        "How long a request may take, from its head to that of its answer.",
        allowed=_TIME,
        default='"30s"',
        read=http.duration,
    ),
    Key(
        "body",
        "How large a request's body may be.",
        allowed='a size such as "8MiB"',
        default='"8MiB"',
        read=calling.size,
    ),
    Key(
        "connections",
        "How many connections there may be at once.",
        allowed=f"a whole number from 1 to {http.MOST_CONNECTIONS}",
        default="10000",
        read=http.connections,
    ),
    Key(
        "patience",
        "How long a client may take for the head of a request, for the next piece of a body, and "
        "to take some of an answer.",
        allowed=_TIME,
        default='"10s"',
        read=http.duration,
    ),
    Key(
        "idle",
        "How long a connection is kept between requests.",
        allowed=_TIME,
        default='"75s"',
        read=http.duration,
    ),
    Key(
        "hosts",
        "The names by which clients may ask for this server.",
        allowed='a list of names such as ["api.example.org"]',
        read=values.texts,
    ),
    Key(
        "origins",
        "Other origins whose pages may call this server.",
        allowed='a list such as ["https://app.example.org"], or ["*"]',
        default="[]",
        read=http.origins,
    ),
    Key(
        "cert",
        "The file with the certificate, in PEM, for TLS.",
        allowed="a path",
        read=values.text,
    ),
    Key(
        "key",
        "The file with the certificate's private key, in PEM.",
        allowed="a path",
        read=values.text,
    ),
    Key(
        "log",
        "Where each request is written down, in a line.",
        allowed='a path, or "stderr"',
        read=values.text,
    ),
    Key(
        "title",
        "What the description in OpenAPI is called.",
        allowed="a text",
        default='"Remote functions"',
        read=values.text,
    ),
    Key(
        "version",
        "The version in the description in OpenAPI.",
        allowed='a text such as "1.2.0"',
        default='"0.0.0"',
        read=values.text,
    ),
    Key(
        "log_format",
        "How that line is written.",
        allowed='"common" or "json"',
        default='"common"',
        read=http.log_format,
    ),
    Key(
        "admin",
        "The address at which the server tells how it is, and no other one.",
        allowed='host and port such as "127.0.0.1:9090", or "off"',
        read=http.admin,
    ),
)
