import { type WallToFollow, WALL_RENEW_MS, wallFollows } from '@tocsin/contract/insight/wall'
import { DesktopOutlined } from '@ant-design/icons'
import { useQuery } from '@tanstack/react-query'
import { Button, Flex, Popover, Switch, Typography } from 'antd'
import { useEffect, useEffectEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '#api/call.ts'
import { inlineQuery, useApiMutation } from '#api/query.ts'
import { useHasPermission } from '#api/session.ts'

type Selected = number | undefined

const WallList = ({ walls, selected }: { walls: readonly WallToFollow[]; selected: Selected }) => {
  const { t } = useTranslation()
  const start = useApiMutation(wallFollows.start)
  const stop = useApiMutation(wallFollows.stop)
  const toggle = (linkId: number, isOn: boolean) =>
    isOn ? start.mutate({ body: { linkId, recordId: selected ?? null } }) : stop.mutate({ body: { linkId } })
  return (
    <Flex vertical gap="small" style={{ maxWidth: 320 }}>
      <Typography.Text type="secondary">{t('desk.wallHelp')}</Typography.Text>
      {walls.map(({ id, name, deptName, follows }) => (
        <Flex key={id} gap="middle" align="center" justify="space-between">
          <span>
            {name} · {deptName}
            {follows === 'OTHER' && <Typography.Text type="warning"> {t('desk.wallOther')}</Typography.Text>}
          </span>
          <Switch
            size="small"
            aria-label={t('desk.wallFollow', { name })}
            checked={follows === 'MINE'}
            loading={start.isPending || stop.isPending}
            onChange={(isOn) => toggle(id, isOn)}
          />
        </Flex>
      ))}
    </Flex>
  )
}

/** Keys move through the queue faster than a wall could follow. */
const SETTLE_MS = 300

/** Tells the walls that follow this desk what it shows, after each choice and again while it stays. */
const useShowOnWalls = (isShowing: boolean, selected: Selected, onLost: () => void) => {
  const show = useEffectEvent(async () => {
    // After a failure the next renewal tries again; without one the wall stops by itself.
    const walls = await call(wallFollows.show, { body: { recordId: selected ?? null } }).catch(() => undefined)
    if (walls?.length === 0) onLost()
  })
  useEffect(() => {
    if (!isShowing) return
    const first = setTimeout(() => void show(), SETTLE_MS)
    const timer = setInterval(() => void show(), WALL_RENEW_MS)
    return () => {
      clearTimeout(first)
      clearInterval(timer)
    }
  }, [isShowing, selected])
}

const WallFollowButton = ({ selected }: { selected: Selected }) => {
  const { t } = useTranslation()
  const { data: walls = [], refetch } = useQuery(inlineQuery(wallFollows.list))
  const mine = walls.filter(({ follows }) => follows === 'MINE')
  const isShowing = mine.length > 0
  useShowOnWalls(isShowing, selected, () => void refetch())
  if (walls.length === 0) return null
  const names = mine.map(({ name }) => name).join('、')
  return (
    <Popover
      trigger="click"
      placement="bottomRight"
      title={t('desk.wall')}
      content={<WallList walls={walls} selected={selected} />}
      onOpenChange={(isOpen) => isOpen && void refetch()}
    >
      <Button size="small" type={isShowing ? 'default' : 'text'} icon={<DesktopOutlined />} aria-pressed={isShowing}>
        {isShowing ? t('desk.wallShowing', { names }) : t('desk.wall')}
      </Button>
    </Popover>
  )
}

/** Lets walls follow what this desk shows, and says so as long as they do. */
export const WallFollow = ({ selected }: { selected: Selected }) =>
  useHasPermission('insight:wall:follow') && <WallFollowButton selected={selected} />
