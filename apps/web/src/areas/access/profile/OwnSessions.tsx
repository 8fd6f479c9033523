import { type OwnSession, ownSessions } from '@tocsin/contract/access/sign-in/own-session'
import { useQuery } from '@tanstack/react-query'
import { Button, Flex, Skeleton, Tag, Typography } from 'antd'
import { useTranslation } from 'react-i18next'
import { inlineQuery, useApiMutation } from '#api/query.ts'
import { RelativeTime } from '#ui/RelativeTime.tsx'
import { confirm } from '#ui/confirm.ts'
import { ErrorState } from '#ui/ErrorState.tsx'
import { notify } from '#ui/notify.ts'
import { EnumLabel } from '#ui/EnumTag.tsx'
import { browserOf } from '@tocsin/contract/audit/user-agent'

const Line = ({ session }: { session: OwnSession }) => {
  const { t } = useTranslation()
  const end = useApiMutation(ownSessions.end, { done: () => notify.success(t('profile.sessionEnded')) })
  const browser = browserOf(session.userAgent)
  const ask = async () => {
    if (!(await confirm({ title: t('profile.sessionEndAsk'), text: `${browser} · ${session.userIp}` }))) return
    end.mutate({ query: { id: session.id } })
  }
  return (
    <li>
      <Flex justify="space-between" align="center" gap="middle" className="profile-line">
        <div>
          <Flex wrap gap={6} title={session.userAgent}>
            {browser}
            {session.current && <Tag color="blue">{t('profile.sessionCurrent')}</Tag>}
            {session.locked && <Tag color="orange">{t('profile.sessionLocked')}</Tag>}
          </Flex>
          <Typography.Text type="secondary">
            {session.userIp}
            {session.region !== null && (
              <>
                {' '}
                (<EnumLabel kind="region" value={session.region} />)
              </>
            )}{' '}
            · <RelativeTime at={session.lastUsedTime} />
          </Typography.Text>
        </div>
        {!session.current && (
          <Button
            danger
            loading={end.isPending}
            aria-label={`${t('profile.sessionEnd')} ${browser}`}
            onClick={() => void ask()}
          >
            {t('profile.sessionEnd')}
          </Button>
        )}
      </Flex>
    </li>
  )
}

/** All browsers signed in with this account. */
export const OwnSessions = () => {
  const { t } = useTranslation()
  const { data, error, refetch } = useQuery(inlineQuery(ownSessions.list))
  const endOthers = useApiMutation(ownSessions.endOthers)
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (!data) return <Skeleton active />
  const askAll = async () => {
    if (!(await confirm({ title: t('profile.othersEndAsk'), danger: true }))) return
    endOthers.mutate({}, { onSuccess: (n) => notify.success(t('profile.othersEnded', { n })) })
  }
  return (
    <>
      <ul className="plain-list">
        {data.map((session) => (
          <Line key={session.id} session={session} />
        ))}
      </ul>
      {data.length > 1 && (
        <Button danger loading={endOthers.isPending} onClick={() => void askAll()}>
          {t('profile.othersEnd')}
        </Button>
      )}
    </>
  )
}
