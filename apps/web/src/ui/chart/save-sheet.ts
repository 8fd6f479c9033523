/** The same rows as a chart, a table and a spreadsheet: headings and cells. */
export type ChartTable = { headings: readonly string[]; rows: readonly (readonly (string | number)[])[] }

/** Offers a file of the browser's memory for download. */
export const saveAs = (name: string, href: string): void => {
  const link = document.createElement('a')
  link.download = name
  link.href = href
  link.click()
}

const toCsv = ({ headings, rows }: ChartTable): string =>
  [headings, ...rows]
    .map((cells) => cells.map((cell) => `"${String(cell).replaceAll('"', '""')}"`).join(','))
    .join('\r\n')

/** Downloads rows as CSV, with the mark that spreadsheet programs need to read it as UTF-8. */
export const saveSheet = (title: string, table: ChartTable): void =>
  saveAs(`${title}.csv`, `data:text/csv;charset=utf-8,${encodeURIComponent(`\uFEFF${toCsv(table)}`)}`)
