import { deviceEdits } from '@tocsin/contract/device/device-verbs'
import { installationCalls } from '@tocsin/contract/device/school-device-verbs'
import { useQuery } from '@tanstack/react-query'
import { Empty, Flex, Timeline, Typography } from 'antd'
import { useTranslation } from 'react-i18next'
import { inlineQuery } from '#api/query.ts'
import { useLang } from '#texts/i18n.ts'
import { enumLabel } from '#texts/enum-labels.ts'
import { EnumTag } from '#ui/EnumTag.tsx'
import { QueryResult } from '#ui/result/QueryResult.tsx'
import { formatDateTime } from '#ui/time.ts'

/** The stages that a device went through, as sentences; the latest first. */
export const DeviceTimeline = ({ id }: { id: number }) => {
  const { t } = useTranslation()
  const lang = useLang()
  const query = useQuery(inlineQuery(deviceEdits.history, { query: { id } }))
  return (
    <QueryResult query={query}>
      {(rows) => (
        <Timeline
          items={rows.map((row) => ({
            key: row.id,
            content: (
              <Flex vertical>
                <span>
                  {row.userName ?? t('device.system')} {enumLabel('deviceLogVerb', row.verb, lang)}
                </span>
                {row.reason && <span>{row.reason}</span>}
                <Typography.Text type="secondary">{formatDateTime(row.at)}</Typography.Text>
              </Flex>
            ),
          }))}
        />
      )}
    </QueryResult>
  )
}

/** Where it has hung, the latest first. */
export const InstallationsTab = ({ deviceId }: { deviceId: number }) => {
  const { t } = useTranslation()
  const query = useQuery(inlineQuery(installationCalls.history, { query: { deviceId } }))
  return (
    <QueryResult query={query}>
      {(rows) =>
        rows.length === 0 ? (
          <Empty description={t('device.neverInstalled')} />
        ) : (
          <Timeline
            items={rows.map((row) => ({
              key: row.id,
              content: (
                <Flex vertical>
                  <Flex gap="small" wrap align="center">
                    <span>{`${row.schoolName} · ${row.placePath}`}</span>
                    <EnumTag kind="installation" value={row.status} />
                  </Flex>
                  {row.mountNote && <span>{row.mountNote}</span>}
                  <Typography.Text type="secondary">
                    {`${formatDateTime(row.validFrom)} – ${row.validTo ? formatDateTime(row.validTo) : t('list.now')}`}
                  </Typography.Text>
                </Flex>
              ),
            }))}
          />
        )
      }
    </QueryResult>
  )
}
