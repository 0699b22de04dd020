// SPDX-License-Identifier: MIT
#pragma once
#include <string_view>

namespace flowgauge::report {

/// The page's style sheet. Colours are those that colour-blind readers can tell apart, by name: the same as in the terminal and the window.
inline constexpr std::string_view htmlStyle =
    R"(:root{--page:#fff;--ink:#1b1f24;--soft:#5a6470;--line:#d9dee4;--panel:#f6f8fa;--accent:#0b5cad;--good:#00734f;--bad:#b34700;
--compute:#0072b2;--communication:#d55e00;--copy:#cc79a7;--input:#e69f00;--idle:#999;--border:#d8c800;--storage:#009e73;--hidden:#56b4e9;--neutral:#1b1f24;color-scheme:light dark}
@media screen and (prefers-color-scheme:dark){:root{--page:#14181d;--ink:#e6e9ed;--soft:#a0aab5;--line:#313943;--panel:#1c2229;--accent:#7db8f2;--good:#4fd1a5;--bad:#ff9a52;
--compute:#3d9fd8;--communication:#f0803c;--border:#f0e442;--neutral:#e6e9ed}}
*{box-sizing:border-box}html{scroll-behavior:smooth}
body{margin:0;background:var(--page);color:var(--ink);font:16px/1.55 system-ui,-apple-system,"Segoe UI",Roboto,"DejaVu Sans",sans-serif;-webkit-print-color-adjust:exact;print-color-adjust:exact}
main,header,nav,footer{max-width:66rem;margin:0 auto;padding:0 1.5rem}
p,.lead,.card,.terms,ul{max-width:72ch}
header{padding-top:2.2rem}h1{font-size:1.5rem;margin:0;line-height:1.25}h2{font-size:1.15rem;margin:2.8rem 0 .7rem}h3{font-size:1rem;margin:0 0 .2rem}
.subtitle{color:var(--soft);margin:.25rem 0 0}.lead{font-size:1.3rem;line-height:1.4;margin:1.2rem 0 0;padding-left:.9rem;border-left:4px solid var(--bad)}.lead.healthy{border-color:var(--good)}
.warning{margin:1rem 0 0;padding:.5rem .9rem;background:var(--panel);border-left:4px dashed var(--border);max-width:72ch}
nav{margin-top:1.2rem}nav a{display:inline-block;margin-right:1.2rem;color:var(--soft);font-size:.9rem}
a{color:var(--accent);text-decoration-thickness:1px;text-underline-offset:.18em}a:focus-visible,summary:focus-visible,.scroll:focus-visible{outline:2px solid var(--accent);outline-offset:2px;border-radius:2px}
.tiles{display:grid;grid-template-columns:repeat(auto-fit,minmax(10.5rem,1fr));gap:.8rem;margin:1.6rem 0 0}
.tile{background:var(--panel);border-radius:6px;padding:.7rem .9rem}.tile b{display:block;font-size:1.45rem;font-weight:600;line-height:1.3;font-variant-numeric:tabular-nums}.tile span{color:var(--soft);font-size:.85rem}.tile a{color:inherit;text-decoration-color:var(--line)}
.whole{display:flex;height:2.1rem;border-radius:4px;overflow:hidden;margin:.3rem 0 .6rem}.whole i{display:block;height:100%}.tiles+.facts{margin-top:1.6rem}
.legend{display:flex;flex-wrap:wrap;gap:.2rem 1.3rem;margin:0;padding:0;list-style:none;font-size:.9rem;max-width:none}.legend li{white-space:nowrap}
.swatch{display:inline-block;width:.85em;height:.85em;border-radius:2px;margin-right:.45em;vertical-align:-.06em}
figure{margin:1.6rem 0 0;break-inside:avoid}figcaption{font-weight:600;margin-bottom:.35rem}svg{display:block;width:100%;height:auto;margin-top:.3rem;font:12px system-ui,"DejaVu Sans",sans-serif}
svg text{fill:var(--soft)}svg .y{text-anchor:end}svg .x,svg .value{text-anchor:middle}svg .value{fill:var(--ink)}svg text.rule{text-anchor:end}svg .band{font-size:10.5px}
.grid{stroke:var(--line);stroke-width:1}.epoch{stroke:var(--soft);stroke-width:1;stroke-dasharray:1 4;opacity:.7}line.rule{stroke:var(--soft);stroke-dasharray:6 4}
.line{fill:none;stroke-width:1.8;stroke-linejoin:round}.line.reference,.bar.reference{opacity:.55}.line.reference{stroke-dasharray:5 4;stroke-width:1.3}.hover rect{fill:transparent}.hover rect:hover{fill:var(--ink);fill-opacity:.08}
rect.evidence{fill:var(--bad);fill-opacity:0}
.bg-compute{background:var(--compute)}.bg-communication{background:var(--communication)}.bg-copy{background:var(--copy)}.bg-input{background:var(--input)}.bg-idle{background:var(--idle)}.bg-storage{background:var(--storage)}.bg-hidden{background:var(--hidden)}.bg-neutral{background:var(--neutral)}.bg-border{background:repeating-linear-gradient(45deg,var(--border) 0 4px,var(--idle) 4px 6px)}
.line.compute{stroke:var(--compute)}.line.communication{stroke:var(--communication)}.line.copy{stroke:var(--copy)}.line.input{stroke:var(--input)}.line.idle{stroke:var(--idle)}.line.storage{stroke:var(--storage)}.line.hidden{stroke:var(--hidden);stroke-dasharray:7 3}.line.neutral{stroke:var(--neutral);stroke-dasharray:2 2.5}.line.border{stroke:var(--border)}
.area.compute,.bar.compute{fill:var(--compute)}.area.communication,.bar.communication{fill:var(--communication)}.area.copy,.bar.copy{fill:var(--copy)}.area.input,.bar.input{fill:var(--input)}.area.idle,.bar.idle{fill:var(--idle)}.area.storage,.bar.storage{fill:var(--storage)}.area.hidden,.bar.hidden{fill:var(--hidden)}.area.neutral,.bar.neutral{fill:var(--neutral)}.area.border,.bar.border{fill:var(--border)}
.card{border:1px solid var(--line);border-radius:6px;padding:1rem 1.2rem;margin:1rem 0 0;break-inside:avoid}.card:target,figure:target,.tables:target{box-shadow:0 0 0 2px var(--accent)}.card.worth{border-left:4px solid var(--bad)}
.card p{margin:.35rem 0}.facts{color:var(--soft);font-size:.9rem;margin:0}.gain{float:right;font-weight:600;color:var(--bad);margin-left:1rem}.card:not(.worth) .gain{color:var(--soft)}.advice::before{content:"\2192\00a0"}
.evidence-list details{margin:0}.evidence-list{margin:.5rem 0 0;padding-left:1.1rem;font-size:.9rem;max-width:none}
details{margin:.5rem 0 0}summary{cursor:pointer;color:var(--soft);font-size:.9rem}summary h3{display:inline;color:var(--ink)}
code{font:13px/1.5 ui-monospace,"DejaVu Sans Mono",monospace;background:var(--panel);padding:.1em .35em;border-radius:3px;overflow-wrap:anywhere;white-space:pre-wrap}
.scroll{overflow-x:auto}table{border-collapse:collapse;font-size:.9rem;font-variant-numeric:tabular-nums;margin:.5rem 0}caption{text-align:left;font-weight:600;padding-bottom:.3rem}
th,td{padding:.22rem .9rem .22rem 0;text-align:right;white-space:nowrap;border-bottom:1px solid var(--line)}th{color:var(--soft);font-weight:500}th:first-child,td:first-child{text-align:left}.note{color:var(--soft);font-size:.9rem;margin:.2rem 0}
dl{margin:0}dt{font-weight:600;margin-top:.8rem}dd{margin:0;color:var(--soft)}
footer{color:var(--soft);font-size:.85rem;padding-top:3rem;padding-bottom:2.5rem}
@page{size:A4;margin:16mm}
@media print{body{font-size:10.5pt}main,header,footer{max-width:none;padding:0}nav,.hover,.sql{display:none}h2{break-after:avoid;margin-top:1.6rem}.lead{font-size:1.15rem}details::details-content{content-visibility:visible;height:auto;display:block}summary{list-style:none}a{color:inherit;text-decoration:none}.tile b{font-size:1.15rem}.tiles{grid-template-columns:repeat(4,1fr)}.scroll{overflow:visible}table{font-size:8.5pt}th,td{padding-right:.5rem}tr,figure,.card,.tile{break-inside:avoid}}
)";

}  // namespace flowgauge::report
