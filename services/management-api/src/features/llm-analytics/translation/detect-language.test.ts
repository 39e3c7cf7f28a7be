import { expect, test } from '@jest/globals';
import { detectLanguage } from './detect-language.ts';

test.each([
  ['en', 'Please cancel my order before tomorrow morning, thank you.'],
  ['es', 'Por favor cancele mi pedido antes de mañana por la mañana.'],
  ['fr', 'Veuillez annuler ma commande avant demain matin, merci beaucoup.'],
  ['de', 'Bitte stornieren Sie meine Bestellung noch vor morgen früh.'],
  ['pt', 'Por favor cancele o meu pedido antes de amanhã de manhã.'],
  ['zh', '客户希望在明天早上之前取消他的订单请尽快处理这个请求并通知他结果如何谢谢您的帮助与支持我们会再联系您'],
  [
    'ja',
    'お客様は明日の朝までに注文をキャンセルしたいと考えています。ご対応をお願いいたします。よろしくお願いします。',
  ],
  [
    'ko',
    '고객은 내일 아침까지 주문을 취소하고 싶어합니다. 빠른 처리를 부탁드립니다. 결과를 알려 주시면 감사하겠습니다.',
  ],
  ['it', "Il cliente desidera annullare l'ordine prima di domani mattina."],
  ['nl', 'De klant wil zijn bestelling voor morgenochtend graag annuleren.'],
  ['ru', 'Пожалуйста, отмените мой заказ до завтрашнего утра.'],
  ['ar', 'يريد العميل إلغاء طلبه قبل صباح الغد، يرجى المساعدة في ذلك بسرعة.'],
])('%s is recognized', (language, text) => expect(detectLanguage(text)).toBe(language));

test('40 letters are enough', () =>
  expect(detectLanguage('Bitte stornieren Sie meine Bestellung noch vor')).toBe('de'));

test.each([
  ['39 letters', 'Bitte stornieren Sie meine Bestellung noch vo'],
  ['digits', '1234567890 '.repeat(20)],
  ['signs', '😀'.repeat(5000)],
])('%s have no language', (_, text) => expect(detectLanguage(text)).toBeNull());

test.each(['a', 'aB ', 'https://', '\n', '#é'])('10,000 characters of %j take no time', (part) => {
  const text = part.repeat(10_000 / part.length);
  detectLanguage(text);
  const startedMs = process.cpuUsage();
  detectLanguage(text);
  expect(process.cpuUsage(startedMs).user).toBeLessThan(100_000);
});
