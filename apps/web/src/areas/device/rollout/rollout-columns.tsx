import { PackageRow, RolloutDeviceRow, RolloutRow } from '@tocsin/contract/device/rollout/rollout'
import { sizeText } from '@tocsin/contract/files/file'
import { rings } from '@tocsin/contract/device/rollout/rollout-machine'
import { useTranslation } from 'react-i18next'
import { EnumTag } from '#ui/EnumTag.tsx'
import { type Column, column } from '#ui/column.tsx'
import { ToneTag } from '#ui/tone/ToneTag.tsx'

/** The state; of a running rollout also its ring. */
export const RolloutStateTag = ({ row: { state, ring } }: { row: Pick<RolloutRow, 'state' | 'ring'> }) => {
  const { t } = useTranslation()
  if (state !== 'RING') return <EnumTag kind="rolloutState" value={state} />
  return <ToneTag tone="busy">{t('rollout.ring', { n: ring, share: rings[ring - 1] ?? 0 })}</ToneTag>
}

export const rolloutColumns: readonly Column<RolloutRow>[] = [
  column(RolloutRow, 'name', { main: true }),
  column(RolloutRow, 'kind', { width: 112, word: 'packageKind' }),
  column(RolloutRow, 'release', { width: 112 }),
  column(RolloutRow, 'modelName', { width: 120 }),
  column(RolloutRow, 'state', { width: 152, show: (_state, row) => <RolloutStateTag row={row} /> }),
  column(RolloutRow, 'figures', {
    width: 112,
    figure: true,
    title: (lang) => (lang === 'en' ? 'Updated' : '已更新'),
    show: ({ updated, total }) => `${updated} / ${total}`,
  }),
  column(RolloutRow, 'maxBadPct', {
    width: 136,
    figure: true,
    title: (lang) => (lang === 'en' ? 'Gate' : '异常 / 门限'),
    show: (limit, { figures }) => `${figures.badPct}% / ${limit}%`,
  }),
  column(RolloutRow, 'startedAt', { width: 160, wideOnly: true }),
]

/** A package that devices would refuse is marked in the list. */
const Signature = ({ isValid }: { isValid: boolean }) => {
  const { t } = useTranslation()
  return isValid ? <>{t('rollout.signatureValid')}</> : <ToneTag tone="fault">{t('rollout.signatureInvalid')}</ToneTag>
}

export const packageColumns: readonly Column<PackageRow>[] = [
  column(PackageRow, 'release', { main: true }),
  column(PackageRow, 'kind', { width: 112, word: 'packageKind' }),
  column(PackageRow, 'modelName', { width: 120 }),
  column(PackageRow, 'isSignatureValid', { width: 136, show: (isValid) => <Signature isValid={isValid} /> }),
  column(PackageRow, 'fileName', { width: 200 }),
  column(PackageRow, 'size', { width: 96, figure: true, show: (size) => sizeText(size) }),
  column(PackageRow, 'sha256', {
    width: 160,
    wideOnly: true,
    show: (hash) => <code title={hash}>{hash.slice(0, 16)}…</code>,
  }),
  column(PackageRow, 'createdByName', { width: 120 }),
  column(PackageRow, 'createdAt', { width: 160 }),
]

export const deviceColumns: readonly Column<RolloutDeviceRow>[] = [
  column(RolloutDeviceRow, 'sn', { main: true, width: 180, show: (sn) => <span className="device-sn">{sn}</span> }),
  column(RolloutDeviceRow, 'schoolName', { show: (name) => name ?? '–' }),
  column(RolloutDeviceRow, 'ring', { width: 72, figure: true }),
  column(RolloutDeviceRow, 'state', { width: 120, tag: 'rolloutDeviceState' }),
  column(RolloutDeviceRow, 'percent', {
    width: 80,
    figure: true,
    show: (percent) => (percent === null ? '–' : `${percent}%`),
  }),
  column(RolloutDeviceRow, 'error', { width: 200, show: (error) => error ?? '–' }),
  column(RolloutDeviceRow, 'changedAt', { width: 160 }),
]
