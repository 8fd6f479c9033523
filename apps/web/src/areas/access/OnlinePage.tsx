import { OnlineSessionQuery, OnlineSessionRow, onlineSessions } from '@tocsin/contract/access/online'
import { Flex, Input, Tag, Typography } from 'antd'
import { useTranslation } from 'react-i18next'
import { queryFor, useApiMutation } from '#api/query.ts'
import { useHasPermission } from '#api/session.ts'
import { RelativeTime } from '#ui/RelativeTime.tsx'
import { column } from '#ui/column.tsx'
import { confirm } from '#ui/confirm.ts'
import { Filter } from '#ui/list/filters.tsx'
import { ListPage } from '#ui/list/ListPage.tsx'
import { notify } from '#ui/notify.ts'
import { browserOf } from '@tocsin/contract/audit/user-agent'
import { RowActions } from '#ui/list/RowActions.tsx'
import '#ui/list/screens.css'

/** Sessions begin and end without a general event. Each refetch is one more row in the operation log (decision 032). */
const EVERY_MS = 60_000

const Person = ({ session }: { session: OnlineSessionRow }) => {
  const { t } = useTranslation()
  return (
    <Flex wrap gap={4} align="center">
      {session.nickname}
      <Typography.Text type="secondary">{session.username}</Typography.Text>
      {session.current && <Tag color="blue">{t('online.current')}</Tag>}
      {session.locked && <Tag color="orange">{t('online.locked')}</Tag>}
    </Flex>
  )
}

const columns = [
  column(OnlineSessionRow, 'username', { main: true, show: (_, session) => <Person session={session} /> }),
  column(OnlineSessionRow, 'deptName'),
  column(OnlineSessionRow, 'userIp'),
  column(OnlineSessionRow, 'region', { word: 'region' }),
  column(OnlineSessionRow, 'userAgent', { show: (agent) => <span title={agent}>{browserOf(agent)}</span> }),
  column(OnlineSessionRow, 'createTime'),
  column(OnlineSessionRow, 'lastUsedTime', { show: (at) => <RelativeTime at={at} /> }),
]

const filters = (
  <>
    <Filter of={OnlineSessionQuery} name="username">
      <Input allowClear maxLength={100} />
    </Filter>
    <Filter of={OnlineSessionQuery} name="userIp">
      <Input allowClear maxLength={45} />
    </Filter>
  </>
)

const KickAction = ({ session }: { session: OnlineSessionRow }) => {
  const { t } = useTranslation()
  const kick = useApiMutation(onlineSessions.delete, { done: () => notify.success(t('online.kicked')) })
  const ask = async () => {
    const title = t('online.kickAsk', { name: `${session.nickname} (${session.username})` })
    if (!(await confirm({ title, text: t('online.kickEffect'), danger: true }))) return
    kick.mutate({ query: { id: session.id } })
  }
  const why = session.current ? t('online.notOwn') : undefined
  return <RowActions items={[{ key: 'kick', label: t('online.kick'), run: () => void ask(), danger: true, why }]} />
}

/** The signed-in users with their location and time. */
export const OnlinePage = () => {
  const { t } = useTranslation()
  const mayKick = useHasPermission('system:online-session:delete')
  return (
    <ListPage
      query={OnlineSessionQuery}
      source={(query) => queryFor(onlineSessions.page, { query })}
      everyMs={EVERY_MS}
      columns={columns}
      rowKey={({ id }) => id}
      filters={filters}
      {...(mayKick && { actions: (session: OnlineSessionRow) => <KickAction session={session} /> })}
      empty={{ text: t('online.none') }}
    />
  )
}
