# The traceback of a remote function of the main script is the plain program's.
# stderr: whole
# file: cord.toml
[remote.main]
replicas = 2
callstyle = "async"
pure = true
only = ["inverse"]
# file: main.py
def helper(x):
    return 1 / x


def inverse(x):
    return helper(x)


def main():
    for x in [4, 2, 1, 0]:
        print(inverse(x))


if __name__ == "__main__":
    main()
