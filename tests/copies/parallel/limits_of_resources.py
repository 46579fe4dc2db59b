# A library looks at the limits of resources, and lowers one, between calls.
# overlap: 4
# file: lib/limited.py
import resource

LOOKED_AT = (resource.RLIMIT_NOFILE, resource.RLIMIT_CORE, resource.RLIMIT_CPU, resource.RLIMIT_AS)


def each(function, items):
    for item in items:
        yield function(item, len([resource.getrlimit(one) for one in LOOKED_AT]))
        if item == 20:
            now, most = resource.getrlimit(resource.RLIMIT_NOFILE)
            resource.setrlimit(resource.RLIMIT_NOFILE, (now - 1, most))
# file: main.py
import resource
import sys

sys.path.append("lib")
import limited
import work

print(list(limited.each(work.nap, range(40))))
print([resource.getrlimit(one) for one in limited.LOOKED_AT])
