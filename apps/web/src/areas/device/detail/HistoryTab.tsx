import { deviceEdits } from '@tocsin/contract/device/device-verbs'
import { labelIn } from '@tocsin/contract/field'
import { InstallationHistoryRow } from '@tocsin/contract/device/school-device'
import { installationCalls } from '@tocsin/contract/device/school-device-verbs'
import { useQuery } from '@tanstack/react-query'
import { Empty, Flex, Timeline, Typography } from 'antd'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { inlineQuery } from '#api/query.ts'
import { useLang } from '#texts/i18n.ts'
import { enumLabel } from '#texts/enum-labels.ts'
import { EnumTag } from '#ui/EnumTag.tsx'
import { QueryResult } from '#ui/result/QueryResult.tsx'
import { formatDateTime } from '#ui/time.ts'
import { EventTimeline } from '#ui/workflow/EventTimeline.tsx'
import { formatActor } from '#ui/workflow/format-actor.ts'

/** The lifecycle of a device as sentences; the latest first. */
export const DeviceTimeline = ({ id }: { id: number }) => {
  const lang = useLang()
  const query = useQuery(inlineQuery(deviceEdits.history, { query: { id } }))
  return (
    <QueryResult query={query}>
      {(rows) => (
        <EventTimeline
          events={rows.map((row) => ({
            key: row.id,
            at: row.at,
            who: formatActor({ actorName: row.userName, actorAccount: row.userAccount }),
            what: enumLabel('deviceLogVerb', row.verb, lang),
            note: row.reason,
          }))}
        />
      )}
    </QueryResult>
  )
}

type OtherProps = { name: 'replacesSn' | 'replacedBySn'; sn: string | null; id: number | null }

/** The device that hung at the place before or after, with a link to it where the reader sees it. */
const OtherDevice = ({ name, sn, id }: OtherProps) => {
  const lang = useLang()
  if (sn === null) return null
  const serial = <span className="device-sn">{sn}</span>
  return (
    <span>
      {labelIn(lang, InstallationHistoryRow.shape[name])}{' '}
      {id === null ? serial : <Link to={`/schoolDevice/detail/${id}`}>{serial}</Link>}
    </span>
  )
}

/** The earlier installations, the latest first. */
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
                  <OtherDevice name="replacesSn" sn={row.replacesSn} id={row.replacesId} />
                  <OtherDevice name="replacedBySn" sn={row.replacedBySn} id={row.replacedById} />
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
