import { SecurityPostRow } from '@tocsin/contract/security/post'
import { useTranslation } from 'react-i18next'
import { type Column, column } from '#ui/column.tsx'
import { ToneTag } from '#ui/tone/ToneTag.tsx'
import { hoursText } from './hours-text.ts'

const Hours = ({ post }: { post: SecurityPostRow }) => {
  const { t } = useTranslation()
  return <>{hoursText(post, t)}</>
}

const EquipmentState = ({ post: { missing, equipment } }: { post: SecurityPostRow }) => {
  const { t } = useTranslation()
  if (missing > 0) return <ToneTag tone="wait">{t('duty.equipmentMissing', { n: missing })}</ToneTag>
  return <>{equipment.length > 0 ? t('duty.equipmentComplete') : '–'}</>
}

const PostState = ({ enabled }: { enabled: boolean }) => {
  const { t } = useTranslation()
  return <ToneTag tone={enabled ? 'done' : 'calm'}>{t(enabled ? 'duty.enabled' : 'duty.disabled')}</ToneTag>
}

export const postColumns: readonly Column<SecurityPostRow>[] = [
  column(SecurityPostRow, 'name', { main: true }),
  column(SecurityPostRow, 'type', { word: 'postType', width: 112 }),
  column(SecurityPostRow, 'ownerName'),
  column(SecurityPostRow, 'fromMin', {
    title: (lang) => (lang === 'en' ? 'Hours' : '时段'),
    width: 200,
    show: (_from, post) => <Hours post={post} />,
  }),
  column(SecurityPostRow, 'headcount', {
    title: (lang) => (lang === 'en' ? 'Required/planned/on duty' : '应到/排班/在岗'),
    width: 150,
    tight: true,
    show: (headcount, { planned, present }) => `${headcount} / ${planned} / ${present}`,
  }),
  column(SecurityPostRow, 'missing', {
    title: (lang) => (lang === 'en' ? 'Equipment' : '装备'),
    width: 112,
    show: (_missing, post) => <EquipmentState post={post} />,
  }),
  column(SecurityPostRow, 'equipmentCheckedAt', { wideOnly: true }),
  column(SecurityPostRow, 'enabled', {
    title: (lang) => (lang === 'en' ? 'State' : '状态'),
    width: 104,
    show: (enabled) => <PostState enabled={enabled} />,
  }),
]
