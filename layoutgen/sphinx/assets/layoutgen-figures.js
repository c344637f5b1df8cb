// Names the cell under the pointer or the keyboard, and marks its lane in all operands of a figure.
// Without it, titles name the cells, and the keyboard stops at every table.
(() => {
  "use strict";

  const ARROWS = {
    ArrowLeft: [-1, 0],
    ArrowRight: [1, 0],
    ArrowUp: [0, -1],
    ArrowDown: [0, 1],
  };

  const centre = (cell) => {
    const box = cell.querySelector("path").getBoundingClientRect();
    return [box.left + box.width / 2, box.top + box.height / 2];
  };

  // The nearest cell in a direction; what lies straight ahead goes before what lies aside.
  const neighbour = (cells, from, [dx, dy]) => {
    const [x, y] = centre(from);
    let best = null;
    let least = Infinity;
    for (const cell of cells) {
      const [cx, cy] = centre(cell);
      const ahead = (cx - x) * dx + (cy - y) * dy;
      const aside = Math.abs((cx - x) * dy) + Math.abs((cy - y) * dx);
      if (ahead > 1 && aside < ahead * 2 + 1 && ahead + 4 * aside < least) {
        best = cell;
        least = ahead + 4 * aside;
      }
    }
    return best;
  };

  const scrollTo = (region, cell, readout) => {
    const box = cell.getBoundingClientRect();
    const frame = region.getBoundingClientRect();
    if (box.left < frame.left) region.scrollLeft -= frame.left - box.left + 8;
    if (box.right > frame.right) region.scrollLeft += box.right - frame.right + 8;
    cell.scrollIntoView({ block: "nearest", inline: "nearest" });
    const hidden = cell.getBoundingClientRect().bottom - readout.getBoundingClientRect().top;
    if (hidden > 0) window.scrollBy(0, hidden + 8);
  };

  const enliven = (figure) => {
    const regions = [...figure.querySelectorAll(".layoutgen-picture")];
    const readout = document.createElement("p");
    readout.className = "layoutgen-readout";
    readout.setAttribute("aria-live", "polite");
    regions[regions.length - 1].after(readout);
    let here = null;

    const clear = () => {
      for (const cell of figure.querySelectorAll(".lit, .here")) cell.classList.remove("lit", "here");
      here = null;
      readout.textContent = "";
    };

    const choose = (cell) => {
      if (cell === here) return;
      clear();
      here = cell;
      const lane = CSS.escape(cell.dataset.lane);
      for (const other of figure.querySelectorAll(`[data-lane="${lane}"]`)) other.classList.add("lit");
      cell.classList.add("here");
      const operand = cell.closest("[data-operand]");
      const title = cell.querySelector("title").textContent;
      const { left } = cell.closest(".layoutgen-picture").getBoundingClientRect();
      readout.style.setProperty("--lg-left", `${left}px`);
      readout.textContent = operand ? `${operand.dataset.operand}: ${title}` : title;
    };

    for (const region of regions) {
      const svg = region.querySelector("svg");
      const cells = () => [...svg.querySelectorAll("[data-lane]")];
      // It takes the arrow keys, so assistive software has to let them through.
      region.setAttribute("role", "application");
      region.setAttribute("aria-description", region.dataset.hint);

      region.addEventListener("pointerover", (event) => {
        const cell = event.target.closest("[data-lane]");
        if (cell) choose(cell);
      });
      region.addEventListener("pointerleave", (event) => {
        if (event.pointerType === "mouse" && document.activeElement !== region) clear();
      });
      region.addEventListener("blur", clear);
      region.addEventListener("keydown", (event) => {
        if (event.altKey || event.ctrlKey || event.metaKey) return;
        if (event.key === "Escape") {
          clear();
          return;
        }
        const inside = here && svg.contains(here);
        const all = cells();
        let next = null;
        if (event.key in ARROWS) next = inside ? neighbour(all, here, ARROWS[event.key]) : all[0];
        else if (event.key === "Home") next = all[0];
        else if (event.key === "End") next = all[all.length - 1];
        else return;
        event.preventDefault();
        if (next) {
          choose(next);
          scrollTo(region, next, readout);
        }
      });
    }
  };

  const figures = new Set();
  for (const region of document.querySelectorAll(".layoutgen-picture")) {
    figures.add(region.closest("figure") || region.parentElement);
  }
  figures.forEach(enliven);

  // The keyboard stops at what scrolls, and goes past what is wholly there.
  const sizes = new ResizeObserver((entries) => {
    for (const { target } of entries) {
      target.tabIndex = target.scrollWidth > target.clientWidth ? 0 : -1;
    }
  });
  for (const region of document.querySelectorAll(".layoutgen-table")) {
    sizes.observe(region);
  }
})();
