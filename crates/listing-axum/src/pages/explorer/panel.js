// Opens and closes the record that the address names.

export function records(explorer) {
  let open = null;
  const close = () => {
    const box = open;
    open = null;
    box?.close();
  };
  explorer.on("looked", async () => {
    const { record } = explorer.look;
    if (record === null || !explorer.listing) {
      close();
      return;
    }
    if (open?.dataset.record === `${explorer.listing.name}/${record}`) {
      return;
    }
    close();
    const box = record === "new" ? (await import("./form.js")).createRecord(explorer) : await (await import("./record.js")).show(explorer, record);
    if (!box) {
      return;
    }
    open = box;
    box.dataset.record = `${explorer.listing.name}/${record}`;
    box.addEventListener("close", () => {
      if (open === box) {
        open = null;
        explorer.lookAt({ record: null });
        document.querySelector(`[data-key="open ${CSS.escape(record)}"]`)?.focus();
      }
    });
  });
}
