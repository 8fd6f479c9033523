import { ProcedureRow } from '@tocsin/contract/device/procedure/procedure'
import { formatMinute } from '@tocsin/contract/security/hours'
import { useTranslation } from 'react-i18next'
import { enumLabel } from '#texts/enum-labels.ts'
import { useLang } from '#texts/i18n.ts'
import { type Column, column } from '#ui/column.tsx'
import { ToneTag } from '#ui/tone/ToneTag.tsx'

type Scope = Pick<ProcedureRow, 'class' | 'levels' | 'placeKinds' | 'fromMin' | 'toMin' | 'work'>

/** To what a procedure applies, in one line. */
export const ScopeText = ({ scope }: { scope: Scope }) => {
  const { t } = useTranslation()
  const lang = useLang()
  const { class: of, levels, placeKinds, fromMin, toMin, work } = scope
  if (work !== null) return <>{enumLabel('workKind', work, lang)}</>
  const parts = [
    of && enumLabel('warnClass', of, lang),
    levels.length === 0 ? t('procedure.everyLevel') : levels.map((level) => enumLabel('level', level, lang)).join(' '),
    placeKinds.length === 0
      ? t('procedure.everyPlace')
      : placeKinds.map((kind) => enumLabel('placeKind', kind, lang)).join(' '),
    fromMin !== null && toMin !== null && `${formatMinute(fromMin)}–${formatMinute(toMin)}`,
  ]
  return <>{parts.filter(Boolean).join(' · ')}</>
}

export const ProcedureName = ({ of: { name, nameEn } }: { of: { name: string; nameEn: string } }) => (
  <>{useLang() === 'en' ? nameEn : name}</>
)

/** The version in force, and whether a draft waits for its publisher. */
const VersionText = ({ row: { versionNo, changed } }: { row: ProcedureRow }) => {
  const { t } = useTranslation()
  return (
    <>
      {versionNo === null ? '–' : `v${versionNo}`}{' '}
      {changed && versionNo !== null && <ToneTag tone="wait">{t('procedure.changed')}</ToneTag>}
    </>
  )
}

export const procedureColumns: readonly Column<ProcedureRow>[] = [
  column(ProcedureRow, 'name', {
    main: true,
    title: (lang) => (lang === 'en' ? 'Name' : '名称'),
    show: (_name, row) => <ProcedureName of={row} />,
  }),
  column(ProcedureRow, 'class', {
    width: 260,
    title: (lang) => (lang === 'en' ? 'Applies to' : '适用'),
    show: (_class, row) => <ScopeText scope={row} />,
  }),
  column(ProcedureRow, 'versionNo', { width: 160, show: (_no, row) => <VersionText row={row} /> }),
  column(ProcedureRow, 'steps', { width: 72, figure: true, show: (steps) => steps.length }),
  column(ProcedureRow, 'status', { width: 112, tag: 'procedureStatus' }),
  column(ProcedureRow, 'publishedAt', { width: 160, wideOnly: true }),
  column(ProcedureRow, 'runs', { width: 120, figure: true, wideOnly: true }),
]
