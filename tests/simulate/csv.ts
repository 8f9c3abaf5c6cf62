/** A comma in a cell would be one too many: there is none. */
export const csv = (rows: (string | number)[][]): string => `${rows.map((row) => row.join(",")).join("\n")}\n`;
