import { posix } from 'node:path'
import type { WorksheetRow } from '#spreadsheet/sheet-line'
import { type CellContext, parseRows, parseSharedStrings, parseStyles } from '#spreadsheet/worksheet'
import { listTags } from '#spreadsheet/xml'
import { listZipEntries, readZipEntry, streamZipEntry, type ZipEntryInfo } from '#spreadsheet/zip-entries'

/** A visible worksheet. */
export type VisibleSheet = { name: string | null; rows: () => AsyncIterable<WorksheetRow> }

type Relationship = { id: string; type: string; target: string }

const openArchive = (bytes: Uint8Array) => {
  const entries = new Map((listZipEntries(bytes) ?? []).map((entry) => [entry.name.toLowerCase(), entry]))
  const find = (path: string): ZipEntryInfo | undefined => entries.get(path.replace(/^\//, '').toLowerCase())
  const text = (path: string): string => {
    const entry = find(path)
    return entry ? new TextDecoder().decode(readZipEntry(bytes, entry)) : ''
  }
  return { find, text }
}
type Archive = ReturnType<typeof openArchive>

const relationshipsOf = ({ text }: Archive, path: string): Relationship[] => {
  const folder = posix.dirname(path)
  const file = posix.join(folder, '_rels', `${posix.basename(path)}.rels`)
  return listTags(text(file), 'Relationship').map(({ Id = '', Type = '', Target = '' }) => ({
    id: Id,
    type: posix.basename(Type),
    target: Target.startsWith('/') ? Target.slice(1) : posix.join(folder, Target),
  }))
}

/** The visible worksheets of an xlsx file in their order. Throws RangeError for an invalid file. */
export const openWorkbook = async (bytes: Uint8Array): Promise<VisibleSheet[]> => {
  const archive = openArchive(bytes)
  const path = relationshipsOf(archive, '').find(({ type }) => type === 'officeDocument')?.target
  const workbook = path ? archive.text(path) : ''
  if (!path || !workbook) throw new RangeError('the archive is no workbook')
  const related = relationshipsOf(archive, path)
  const partOf = (type: string) => archive.text(related.find((item) => item.type === type)?.target ?? '')
  const [{ date1904 = '0' } = {}] = listTags(workbook, 'workbookPr')
  const { formatValue } = await import('hucre')
  const context: CellContext = {
    strings: parseSharedStrings(partOf('sharedStrings')),
    styles: parseStyles(partOf('styles')),
    is1904: date1904 === '1' || date1904 === 'true',
    formatValue,
  }
  return listTags(workbook, 'sheet').flatMap(({ name = '', state = 'visible', id }) => {
    const target = related.find((item) => item.id === id && item.type === 'worksheet')?.target
    const entry = target ? archive.find(target) : undefined
    if (!entry || state !== 'visible') return []
    return [{ name, rows: () => parseRows(streamZipEntry(bytes, entry), context) }]
  })
}
