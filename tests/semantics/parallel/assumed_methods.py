# Methods and special methods of a library's classes that are assumed pure.
# overlap: 3
# file: cord.toml
[remote.work]
replicas = 4
callstyle = "async"
pure = true
repeatable = true
[assume]
pure = [
    "email.message.Message.get_payload",
    "email.message.Message.__len__",
    "email.message.Message.__str__",
    "string.Template.substitute",
]
# file: main.py
import email
import string

import work

template = string.Template("$a and $b")
mails = [email.message_from_string(f"Subject: {i}\n\n" + "x" * i) for i in range(24)]
for mail in mails:
    text = template.substitute(a=len(mail), b=str(mail))
    print(work.nap(len(mail.get_payload()), len(text)))
