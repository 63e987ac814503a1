# config layering as people write it
from collections import ChainMap
defaults = {"color": "red", "user": "guest", "debug": False, "retries": 3}
env = {"user": "root", "debug": True}
cli = {k: v for k, v in {"color": None, "retries": 5}.items() if v is not None}
cfg = ChainMap(cli, env, defaults)
for key in sorted(cfg):
    where = next(i for i, m in enumerate(cfg.maps) if key in m)
    print(f"{key:<8} = {cfg[key]!r:<8} from {['cli', 'env', 'defaults'][where]}")
scope = ChainMap()
for depth, names in enumerate(["ab", "bc", "c"]):
    scope = scope.new_child({n: f"{n}{depth}" for n in names})
    print(depth, dict(sorted(scope.items())))
for _ in range(3):
    scope = scope.parents
    print(len(scope.maps), dict(scope))
