import { dirname } from 'node:path'
import { describe, expect, it } from 'vitest'
import { isTest, read, sourceFiles } from './source-tree.ts'

const lines = (file: string) => read(file).trimEnd().split('\n').length

describe('sizes', () => {
  it('keeps source files within 300 raw lines and tests within 400', () => {
    const long = sourceFiles
      .map((file) => ({ file, lines: lines(file), limit: isTest(file) ? 400 : 300 }))
      .filter((f) => f.lines > f.limit)
    expect(long).toEqual([])
  })

  it('keeps folders within 15 source files, tests not counted', () => {
    const folders = Map.groupBy(
      sourceFiles.filter((file) => !isTest(file) && !file.endsWith('.sql')),
      (file) => dirname(file),
    )
    const crowded = [...folders]
      .filter(([, files]) => files.length > 15)
      .map(([folder, files]) => [folder, files.length])
    expect(crowded).toEqual([])
  })

  it('keeps an area of the server within twelve files', () => {
    const areas = Map.groupBy(
      sourceFiles.filter((file) => /^apps\/server\/src\/areas\/\w+\/[^/]+\.ts$/.test(file) && !isTest(file)),
      (file) => dirname(file),
    )
    const large = [...areas].filter(([, files]) => files.length > 12).map(([area, files]) => [area, files.length])
    expect(large).toEqual([])
  })

  it('has no folders named utils, helpers, common or the like', () => {
    const drawers = sourceFiles.filter((file) => /\/(utils?|helpers?|common|lib|types|hooks|services)\//.test(file))
    expect(drawers).toEqual([])
  })
})

describe('rules', () => {
  const marks =
    /\b(TODO|FIXME|XXX)\b|\b(it|test|describe)\.(skip|only|todo)\b|@ts-(ignore|nocheck)|oxlint-disable|biome-ignore/
  const here = 'tools/sizes.test.ts'

  it('has no unfinished marks, skipped tests or switched-off checks', () => {
    const marked = sourceFiles.filter((file) => file !== here && marks.test(read(file)))
    expect(marked).toEqual([])
  })

  it('has no default export outside configuration files', () => {
    const offenders = sourceFiles.filter((file) => !file.endsWith('.config.ts') && /^export default/m.test(read(file)))
    expect(offenders).toEqual([])
  })

  it('has no barrel: a file that only re-exports', () => {
    const barrels = sourceFiles.filter((file) => {
      const statements = read(file)
        .split('\n')
        .filter((line) => line.trim() && !line.startsWith('//'))
      return statements.length > 1 && statements.every((line) => /^export .* from /.test(line))
    })
    expect(barrels).toEqual([])
  })
})
