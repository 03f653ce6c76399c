// Opens and closes the record that the address names.

export function records(explorer) {
  let open = null;
  /** What is open or on its way, so that a second press does not open it twice. What comes for another one is too late. */
  let wanted = null;
  const close = () => {
    const box = open;
    open = null;
    box?.close();
  };
  explorer.on("looked", async () => {
    const { look: { record }, listing } = explorer;
    // Of a record that is open, the list may have been described anew.
    if (wanted?.record === record && (wanted.listing === listing || (open && wanted.listing.name === listing?.name))) {
      return;
    }
    close();
    const mine = record === null || !listing ? null : { record, listing };
    wanted = mine;
    if (!mine) {
      return;
    }
    let box = null;
    try {
      const { createRecord, show } = await (record === "new" ? import("./form.js") : import("./record.js"));
      box = wanted !== mine ? null : record === "new" ? createRecord(explorer) : await show(explorer, record);
    } finally {
      if (!box && wanted === mine) {
        wanted = null; // The next press tries again.
      }
    }
    if (!box || wanted !== mine) {
      box?.close();
      return;
    }
    open = box;
    box.addEventListener("close", () => {
      if (open === box) {
        open = wanted = null;
        explorer.lookAt({ record: null });
        document.querySelector(`[data-key="open ${CSS.escape(record)}"]`)?.focus();
      }
    });
  });
}
