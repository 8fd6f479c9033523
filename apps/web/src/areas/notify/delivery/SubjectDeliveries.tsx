import { deliveries, type DeliverySubject } from '@tocsin/contract/notify/delivery'
import { useQuery } from '@tanstack/react-query'
import { Flex, Typography } from 'antd'
import { useTranslation } from 'react-i18next'
import { queryFor } from '#api/query.ts'
import { useHasPermission } from '#api/session.ts'
import { Rows } from '#ui/list/rows/Rows.tsx'
import { QueryResult } from '#ui/result/QueryResult.tsx'
import { subjectColumns } from './delivery-columns.tsx'
import { ResendButton } from './ResendButton.tsx'

const MAX_ROWS = 100

type Props = { type: DeliverySubject; id: number }

const Deliveries = ({ type, id }: Props) => {
  const { t } = useTranslation()
  const query = useQuery(
    queryFor(deliveries.page, { query: { subjectType: [type], subjectId: id, pageSize: MAX_ROWS } }),
  )
  return (
    <section>
      <Typography.Title level={5} style={{ marginTop: 0 }}>
        {t('delivery.ofRecord')}
      </Typography.Title>
      <QueryResult query={query}>
        {({ list }) =>
          list.length === 0 ? (
            <p>{t('delivery.noneOfRecord')}</p>
          ) : (
            <Flex vertical gap="small">
              <Rows
                rows={list}
                columns={subjectColumns}
                rowKey={(row) => row.id}
                onOpen={undefined}
                expand={undefined}
                actions={(row) => <ResendButton row={row} />}
                empty={t('delivery.noneOfRecord')}
              />
            </Flex>
          )
        }
      </QueryResult>
    </section>
  )
}

/** Every message about one subject, for users who may read deliveries. */
export const SubjectDeliveries = (props: Props) =>
  useHasPermission('notify:delivery:query') ? <Deliveries {...props} /> : null
