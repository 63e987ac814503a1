// Written by `node scripts/page-scripts.mjs` from code.ts.
export default "var e=document.querySelector(\"#code\");e!==null&&location.hash.length>1&&(e.value=location.hash.slice(1),history.replaceState(null,\"\",location.pathname));\n";
