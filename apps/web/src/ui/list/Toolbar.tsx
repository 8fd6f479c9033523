import { ColumnHeightOutlined, ReloadOutlined } from '@ant-design/icons'
import { Button, Flex, Space, Typography } from 'antd'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useRelativeTime } from '../RelativeTime.tsx'
import { DropMenu } from '../overlay/DropMenu.tsx'
import { densities, setDensity, useDensity } from './density.ts'

const densityText = { large: 'list.loose', middle: 'list.middle', small: 'list.compact' } as const

const DensityButton = () => {
  const { t } = useTranslation()
  const { density } = useDensity()
  const items = densities.map((key) => ({ key, label: t(densityText[key]), onClick: () => setDensity(key) }))
  return (
    <DropMenu menu={{ items, selectedKeys: [density] }}>
      <Button type="text" icon={<ColumnHeightOutlined />} aria-label={t('list.density')} title={t('list.density')} />
    </DropMenu>
  )
}

/** The age of the data; red when the last refetch failed. */
const Age = ({ at, failed }: { at: number; failed: boolean }) => {
  const { t } = useTranslation()
  const ago = useRelativeTime(at)
  return (
    <Typography.Text type={failed ? 'danger' : 'secondary'}>
      {t(failed ? 'list.failedSince' : 'list.updated', { ago })}
    </Typography.Text>
  )
}

type Props = {
  left: ReactNode
  /** Actions of the whole list, after the tools. */
  right?: ReactNode
  /** Epoch milliseconds; 0 while nothing was loaded. */
  updatedAt: number
  failed: boolean
  busy: boolean
  onRefresh: () => void
  exporting?: ReactNode
  /** A ColumnsButton. */
  columns?: ReactNode
  /** The rows are cards, whose spacing cannot be chosen. */
  cards?: boolean
}

export const Toolbar = ({ left, right, updatedAt, failed, busy, onRefresh, exporting, columns, cards }: Props) => {
  const { t } = useTranslation()
  return (
    <Flex wrap gap="small" justify="space-between" align="center" className="list-toolbar">
      <Space wrap>{left}</Space>
      <Flex gap={4} align="center" wrap style={{ marginInlineStart: 'auto' }}>
        {updatedAt > 0 && <Age at={updatedAt} failed={failed} />}
        <Button
          type="text"
          icon={<ReloadOutlined spin={busy} />}
          aria-label={t('list.refresh')}
          title={t('list.refresh')}
          onClick={onRefresh}
        />
        {!cards && <DensityButton />}
        {!cards && columns}
        {exporting}
        {right && (
          <Flex gap="small" wrap className="list-actions">
            {right}
          </Flex>
        )}
      </Flex>
    </Flex>
  )
}
