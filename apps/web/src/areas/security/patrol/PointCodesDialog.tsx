import { patrols } from '@tocsin/contract/security/patrol'
import { useQuery } from '@tanstack/react-query'
import { Flex, QRCode, Typography } from 'antd'
import { useTranslation } from 'react-i18next'
import { inlineQuery } from '#api/query.ts'
import { AppModal } from '#ui/AppModal.tsx'
import { QueryResult } from '#ui/result/QueryResult.tsx'
import { patrolAddress } from '../check-in-address.ts'
import '../duty.css'

const SIZE = 144
const GROUP = 4
const inGroups = (code: string) => `${code.slice(0, GROUP)} ${code.slice(GROUP)}`

/** The codes to fix at the points: a phone that reads one opens the round; the letters can be typed. */
export const PointCodesDialog = ({ planId, onClose }: { planId: number; onClose: () => void }) => {
  const { t } = useTranslation()
  const query = useQuery(inlineQuery(patrols.codes, { query: { id: planId } }))
  return (
    <AppModal
      title={t('patrol.printCodes')}
      width={640}
      okText={t('duty.print')}
      cancelText={t('list.cancel')}
      onOk={() => window.print()}
      onCancel={onClose}
    >
      <QueryResult query={query}>
        {(points) => (
          <Flex vertical gap="middle" className="duty-print">
            <Typography.Text type="secondary">{t('patrol.printHelp')}</Typography.Text>
            <Flex gap="large" wrap>
              {points.map(({ id, name, code }) => (
                <Flex key={id} vertical align="center" gap="small">
                  {/* Dark squares on white in both themes: readers and printers want it so. */}
                  <QRCode
                    value={patrolAddress(code)}
                    size={SIZE}
                    type="svg"
                    bordered={false}
                    color="#000000"
                    bgColor="#ffffff"
                  />
                  <strong>{name}</strong>
                  <Typography.Text code>{inGroups(code)}</Typography.Text>
                </Flex>
              ))}
            </Flex>
          </Flex>
        )}
      </QueryResult>
    </AppModal>
  )
}
