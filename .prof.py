import sys, json, time, cProfile, pstats
sys.path.insert(0,'/tmp/wt/scale/bench'); 
from pathlib import Path
from bench.scale import asked_of
import importlib.util
spec=importlib.util.spec_from_file_location('warm','/tmp/wt/scale/bench/warm.py'); w=importlib.util.module_from_spec(spec); spec.loader.exec_module(w)
v=Path('/tmp/scale/obsidian-tasks-docs-6600')
a=w.Answering(v,Path('/tmp/scale/obsidian-tasks-docs-6600.scale'))
asked=asked_of(v)
for row in asked:
    if not any(x in row for x in sys.argv[1:]): continue
    todo=asked[row][:60]
    if 'key' in row: a.key('warm')
    p=cProfile.Profile(time.process_time); p.enable()
    for q in todo:
        a.key(q['key']) if 'key' in q else a.find(q)
    p.disable()
    print('=====',row,len(todo))
    pstats.Stats(p).sort_stats('cumulative').print_stats(60)
    pstats.Stats(p).sort_stats('tottime').print_stats(14)
