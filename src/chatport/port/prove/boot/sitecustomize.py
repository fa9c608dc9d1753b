"""Guards every Python process of a program under proof; Python imports this file as it starts."""

import chatport_prove_boot

chatport_prove_boot.begin_from_environment()
