"""The public half of the key that signs the lists of digests; the same as in `dkekey`. The private half is on no machine of the service.

Until the first release it is the development key of scripts/served-programs.mjs, which is worth nothing: a release replaces it.
"""

RELEASE_KEY = """-----BEGIN PUBLIC KEY-----
MCowBQYDK2VwAyEA11rEzc6OxwGh5Gg2N56f0vQ85JVqpAsw36iEoLXkV2w=
-----END PUBLIC KEY-----
"""
